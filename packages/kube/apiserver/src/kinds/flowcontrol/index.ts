import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { inRange, required, supported } from '../rules/checks.ts';
import { child, maybe, setDefault, setDefaultNumber } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { validateFlowRules, validateLevelDetails } from './validation.ts';
import { fieldsOf, isSet, listOf, numberOf, specOf, statusOf, textOf } from '../values.ts';

function validateFlowSchema(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object);
  inRange(errors, 'spec.matchingPrecedence', spec['matchingPrecedence'], 1, 10_000);
  required(
    errors,
    'spec.priorityLevelConfiguration.name',
    fieldsOf(spec['priorityLevelConfiguration'])['name'],
    'must reference a priority level',
  );
  if (isSet(spec['distinguisherMethod']))
    supported(errors, 'spec.distinguisherMethod.type', fieldsOf(spec['distinguisherMethod'])['type'], [
      'ByNamespace',
      'ByUser',
    ]);
  validateFlowRules(errors, spec);
  return errors;
}

function validatePriorityLevel(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object);
  supported(errors, 'spec.type', textOf(spec['type']), ['Exempt', 'Limited']);
  if (spec['type'] === 'Exempt' && isSet(spec['limited']))
    errors.push(fieldError.forbidden('spec.limited', 'must be nil if the type is not Limited'));
  if (spec['type'] === 'Limited' && !isSet(spec['limited']))
    errors.push(fieldError.required('spec.limited', 'must not be empty when type is Limited'));
  validateLevelDetails(errors, object, spec);
  return errors;
}

const flowSchema: KindBehaviour = {
  validate: validateFlowSchema,
  defaults: (draft) => setDefaultNumber(child(draft, 'spec'), 'matchingPrecedence', 1000),
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  status: {},
  generation: true,
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('PriorityLevel', 'Level its requests go to.'),
    text('MatchingPrecedence', 'Lower ones are asked first.'),
    text('DistinguisherMethod', 'What makes two flows different.'),
    ageColumn,
    text('MissingPL', 'Whether its priority level does not exist.'),
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const dangling = listOf(statusOf(object)['conditions']).find((condition) => condition['type'] === 'Dangling');
    return [
      nameOf(object),
      textOf(fieldsOf(spec['priorityLevelConfiguration'])['name']),
      numberOf(spec['matchingPrecedence']),
      textOf(fieldsOf(spec['distinguisherMethod'])['type']) || '<none>',
      ageOf(object, now),
      dangling === undefined ? '?' : textOf(dangling['status']),
    ];
  },
};

function defaultPriorityLevel(level: Draft): void {
  const spec = child(level, 'spec');
  const exempt = maybe(spec, 'exempt');
  if (exempt) {
    setDefault(exempt, 'nominalConcurrencyShares', 0);
    setDefault(exempt, 'lendablePercent', 0);
  }
  const limited = maybe(spec, 'limited');
  if (!limited) return;
  setDefault(limited, 'nominalConcurrencyShares', 30);
  setDefault(limited, 'lendablePercent', 0);
  const queuing = maybe(maybe(limited, 'limitResponse'), 'queuing');
  if (!queuing) return;
  setDefaultNumber(queuing, 'handSize', 8);
  setDefaultNumber(queuing, 'queues', 64);
  setDefaultNumber(queuing, 'queueLengthLimit', 50);
}

const priorityLevel: KindBehaviour = {
  validate: validatePriorityLevel,
  defaults: defaultPriorityLevel,
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  status: {},
  generation: true,
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Type', 'Exempt or Limited.'),
    text('NominalConcurrencyShares', 'Share of the concurrency.'),
    text('Queues', 'How many queues it has.'),
    text('HandSize', 'Queues a flow is dealt.'),
    text('QueueLengthLimit', 'Requests a queue holds.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const limited = fieldsOf(spec['limited']);
    const queuing = fieldsOf(fieldsOf(limited['limitResponse'])['queuing']);
    const shown = (value: unknown) => (isSet(value) ? value : '<none>');
    return [
      nameOf(object),
      textOf(spec['type']),
      shown(limited['nominalConcurrencyShares']),
      shown(queuing['queues']),
      shown(queuing['handSize']),
      shown(queuing['queueLengthLimit']),
      ageOf(object, now),
    ];
  },
};

export const flowControlKinds: Readonly<Record<string, KindBehaviour>> = {
  'flowschemas.flowcontrol.apiserver.k8s.io': flowSchema,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevel,
};
