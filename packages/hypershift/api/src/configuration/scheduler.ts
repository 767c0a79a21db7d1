/** The kube-scheduler of the hosted cluster. */
import { nameReference } from '../common/references.ts';
import { boolean, enumOf, object, string } from '../schema/index.ts';

export const schedulerConfiguration = object({
  defaultNodeSelector: string().optional(),
  mastersSchedulable: boolean().optional(),
  policy: nameReference.optional(),
  profile: enumOf(['', 'LowNodeUtilization', 'HighNodeUtilization', 'NoScoring']).optional(),
  profileCustomizations: object({
    dynamicResourceAllocation: enumOf(['', 'Enabled', 'Disabled'])
      .optional()
      .gate('HyperShiftOnlyDynamicResourceAllocation'),
  }).optional(),
});
