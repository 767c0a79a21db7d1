/** Feature gates of the hosted cluster itself. */
import { enumOf, list, object, raw, string } from '../schema/index.ts';

export const customFeatureGates = object({
  disabled: list(string({ pattern: raw`^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$` }))
    .optional()
    .describe('Gates to switch off.'),
  enabled: list(string({ pattern: raw`^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$` }))
    .optional()
    .describe('Gates to switch on.'),
}).describe('Single gates to force, for `CustomNoUpgrade`; the cluster can never be updated again.');

export const featureGateConfiguration = object({
  customNoUpgrade: customFeatureGates.nullable().optional(),
  featureSet: enumOf(['CustomNoUpgrade', 'DevPreviewNoUpgrade', 'TechPreviewNoUpgrade', 'OKD', ''])
    .optional()
    .describe(
      'Set of features of the hosted cluster; empty means the supported ones.',
      'All sets called NoUpgrade are final and forbid updates.',
    )
    .rule("oldSelf == 'CustomNoUpgrade' ? self == 'CustomNoUpgrade' : true", 'CustomNoUpgrade may not be changed')
    .rule(
      "oldSelf == 'TechPreviewNoUpgrade' ? self == 'TechPreviewNoUpgrade' : true",
      'TechPreviewNoUpgrade may not be changed',
    )
    .rule(
      "oldSelf == 'DevPreviewNoUpgrade' ? self == 'DevPreviewNoUpgrade' : true",
      'DevPreviewNoUpgrade may not be changed',
    )
    .rule("oldSelf == 'OKD' ? self != '' : true", 'OKD cannot transition to Default'),
}).describe('Feature gates inside the hosted cluster; those of HyperShift itself are set when it is installed.');
