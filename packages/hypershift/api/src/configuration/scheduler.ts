/** The kube-scheduler of the hosted cluster. */
import { nameReference } from '../common/references.ts';
import { boolean, enumOf, object, string } from '../schema/index.ts';

export const schedulerConfiguration = object({
  defaultNodeSelector: string()
    .optional()
    .describe(
      'Node selector for pods in namespaces without one, as `key=value,key=value`;',
      'put labels on nodes first or pods wait.',
    ),
  mastersSchedulable: boolean().optional().describe('Without effect: a hosted cluster has no control plane nodes.'),
  policy: nameReference.optional().describe('Deprecated: ConfigMap with a scheduling policy. Use `profile`.'),
  profile: enumOf(['', 'LowNodeUtilization', 'HighNodeUtilization', 'NoScoring'])
    .optional()
    .describe(
      'How nodes are chosen: spread pods (`LowNodeUtilization`, also when empty), pack them,',
      'or take any fitting node quickly (`NoScoring`).',
    ),
  profileCustomizations: object({
    dynamicResourceAllocation: enumOf(['', 'Enabled', 'Disabled'])
      .optional()
      .gate('HyperShiftOnlyDynamicResourceAllocation')
      .describe('Whether the scheduler handles claims for devices; empty means no opinion.'),
  })
    .optional()
    .describe('Deviations from the profile.'),
}).describe('The scheduler of the cluster.');
