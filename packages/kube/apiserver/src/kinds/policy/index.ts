import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf, text } from '../table/columns.ts';
import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, validateLabelSelector } from '@hypershift-ts/kube-apimachinery';
import { notNegative, supported } from '../rules/checks.ts';
import { atMost100Percent, intOrPercent } from '../rules/int-or-percent.ts';
import { fieldsOf, isSet, numberOf, specOf, statusOf } from '../values.ts';

function validateBudget(budget: UnstructuredObject): readonly FieldError[] {
  const spec = specOf(budget);
  const errors: FieldError[] = [];
  if (isSet(spec['minAvailable']) && isSet(spec['maxUnavailable']))
    errors.push(fieldError.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
  for (const key of ['minAvailable', 'maxUnavailable']) {
    intOrPercent(errors, `spec.${key}`, spec[key]);
    atMost100Percent(errors, `spec.${key}`, spec[key]);
  }
  errors.push(...validateLabelSelector(fieldsOf(spec['selector']), 'spec.selector'));
  supported(errors, 'spec.unhealthyPodEvictionPolicy', spec['unhealthyPodEvictionPolicy'], [
    'AlwaysAllow',
    'IfHealthyBudget',
  ]);
  return errors;
}

function validateBudgetStatus(budget: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'])
    notNegative(errors, `status.${key}`, statusOf(budget)[key]);
  return errors;
}

function orNotApplicable(value: unknown): string {
  return isSet(value) ? String(value) : 'N/A';
}

const podDisruptionBudget: KindBehaviour = {
  prepareForCreate: (draft) => {
    draft['status'] = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  },
  validate: validateBudget,
  status: { validate: validateBudgetStatus },
  generation: true,
  columns: [
    nameColumn,
    text('Min Available', 'Pods that must stay available.'),
    text('Max Unavailable', 'Pods that may be unavailable.'),
    integer('Allowed Disruptions', 'Pods that may be evicted now.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    return [
      nameOf(object),
      orNotApplicable(spec['minAvailable']),
      orNotApplicable(spec['maxUnavailable']),
      numberOf(statusOf(object)['disruptionsAllowed']),
      ageOf(object, now),
    ];
  },
};

export const policyKinds: Readonly<Record<string, KindBehaviour>> = {
  'poddisruptionbudgets.policy': podDisruptionBudget,
};
