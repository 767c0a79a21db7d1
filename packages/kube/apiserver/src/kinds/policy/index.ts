import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf, text } from '../table/columns.ts';
import { isSet, numberOf, specOf, statusOf } from '../values.ts';

function orNotApplicable(value: unknown): string {
  return isSet(value) ? String(value) : 'N/A';
}

const podDisruptionBudget: KindBehaviour = {
  prepareForCreate: (draft) => {
    draft['status'] = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  },
  status: {},
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
