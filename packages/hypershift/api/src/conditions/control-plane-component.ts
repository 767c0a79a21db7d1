import { computed, type ConditionCatalogue } from './condition-facts.ts';

/** Conditions of a ControlPlaneComponent. */
export const controlPlaneComponentConditions = {
  Available: {
    polarity: 'positive',
    meaning: 'The workload of the component serves.',
    source: computed('its Deployment, StatefulSet or Job'),
    reasons: ['AsExpected', 'NotFound', 'WaitingForAvailable', 'JobActive', 'JobComplete', 'JobFailed', 'Unknown'],
  },
  RolloutComplete: {
    polarity: 'positive',
    meaning: 'Every pod of the component runs the wanted version; status.version is written only then.',
    source: computed('its workload, its dependencies and what it manages itself'),
    reasons: [
      'AsExpected',
      'WaitingForDependencies',
      'ReconciliationError',
      'WaitingForRolloutComplete',
      'WaitingForOperands',
      'JobActive',
      'JobComplete',
      'JobFailed',
      'Unknown',
    ],
  },
} as const satisfies ConditionCatalogue;

export type ControlPlaneComponentConditionType = keyof typeof controlPlaneComponentConditions;
