/** Feature gates of the hosted cluster itself. */
import { enumOf, list, object, raw, string } from '../schema/index.ts';

export const customFeatureGates = object({
  disabled: list(string({ pattern: raw`^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$` })).optional(),
  enabled: list(string({ pattern: raw`^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$` })).optional(),
});

export const featureGateConfiguration = object({
  customNoUpgrade: customFeatureGates.nullable().optional(),
  featureSet: enumOf(['CustomNoUpgrade', 'DevPreviewNoUpgrade', 'TechPreviewNoUpgrade', 'OKD', ''])
    .optional()
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
});
