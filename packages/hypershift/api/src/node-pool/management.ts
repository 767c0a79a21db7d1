/** How the nodes of a pool are replaced, updated and repaired. */
import { boolean, enumOf, intOrString, object } from '../schema/index.ts';

export const rollingUpdate = object({
  maxSurge: intOrString().optional(),
  maxUnavailable: intOrString().optional(),
});

export const replaceUpgrade = object({
  rollingUpdate: rollingUpdate.optional(),
  strategy: enumOf(['RollingUpdate', 'OnDelete']).optional(),
}).rule(
  "!has(self.rollingUpdate) || self.strategy == 'RollingUpdate'",
  "The 'rollingUpdate' field can only be set when 'strategy' is 'RollingUpdate'",
);

export const nodePoolManagement = object({
  upgradeType: enumOf(['Replace', 'InPlace']).immutable('UpgradeType is immutable'),
  autoRepair: boolean().optional().default(false),
  inPlace: object({
    maxUnavailable: intOrString().optional(),
  }).optional(),
  replace: replaceUpgrade
    .optional()
    .default({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }, strategy: 'RollingUpdate' }),
}).rule(
  "!has(self.inPlace) || self.upgradeType == 'InPlace'",
  "The 'inPlace' field can only be set when 'upgradeType' is 'InPlace'",
);
