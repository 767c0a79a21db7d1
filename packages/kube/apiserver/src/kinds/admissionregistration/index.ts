import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf, text } from '../table/columns.ts';
import { selectorText } from '../table/format.ts';
import { fieldsOf, isSet, listOf, specOf, textOf } from '../values.ts';
import { defaultPolicy, defaultPolicyBinding, defaultWebhooks } from './defaults.ts';
import { validateMutatingPolicy, validatePolicyBinding, validateValidatingPolicy } from './policy-validation.ts';
import { validateWebhooks } from './webhook-validation.ts';

function paramKind(object: UnstructuredObject): string {
  const spec = specOf(object);
  if (!isSet(spec['paramKind'])) return '<unset>';
  const kind = fieldsOf(spec['paramKind']);
  return `${textOf(kind['apiVersion'])}/${textOf(kind['kind'])}`;
}

function paramRef(object: UnstructuredObject): string {
  const reference = fieldsOf(specOf(object)['paramRef']);
  const name = textOf(reference['name']);
  if (name !== '') return `${textOf(reference['namespace']) || '*'}/${name}`;
  return isSet(reference['selector']) ? selectorText(reference['selector']) : '<unset>';
}

function webhookConfiguration(mutating: boolean): KindBehaviour {
  return {
    defaults: (draft) => defaultWebhooks(draft, mutating),
    validate: (object) => validateWebhooks(object, mutating),
    generation: true,
    columns: [nameColumn, integer('Webhooks', 'How many webhooks it calls.'), ageColumn],
    cells: (object, now) => [nameOf(object), listOf(object['webhooks']).length, ageOf(object, now)],
  };
}

function policy(countColumn: string, list: string): KindBehaviour {
  return {
    defaults: defaultPolicy,
    generation: true,
    columns: [
      nameColumn,
      integer(countColumn, 'How many expressions it has.'),
      text('ParamKind', 'Kind of its parameters.'),
      ageColumn,
    ],
    cells: (object, now) => [
      nameOf(object),
      listOf(specOf(object)[list]).length,
      paramKind(object),
      ageOf(object, now),
    ],
  };
}

const binding: KindBehaviour = {
  defaults: defaultPolicyBinding,
  validate: (object) => validatePolicyBinding(object, object.kind === 'ValidatingAdmissionPolicyBinding'),
  generation: true,
  columns: [
    nameColumn,
    text('PolicyName', 'Policy it puts into effect.'),
    text('ParamRef', 'Parameters it uses.'),
    ageColumn,
  ],
  cells: (object, now) => [nameOf(object), textOf(specOf(object)['policyName']), paramRef(object), ageOf(object, now)],
};

const group = 'admissionregistration.k8s.io';

export const admissionRegistrationKinds: Readonly<Record<string, KindBehaviour>> = {
  [`mutatingadmissionpolicies.${group}`]: { ...policy('Mutations', 'mutations'), validate: validateMutatingPolicy },
  [`mutatingadmissionpolicybindings.${group}`]: binding,
  [`mutatingwebhookconfigurations.${group}`]: webhookConfiguration(true),
  [`validatingadmissionpolicies.${group}`]: {
    ...policy('Validations', 'validations'),
    validate: validateValidatingPolicy,
    status: {},
  },
  [`validatingadmissionpolicybindings.${group}`]: binding,
  [`validatingwebhookconfigurations.${group}`]: webhookConfiguration(false),
};
