/** How the nodes of a pool are replaced, updated and repaired. */
import { boolean, enumOf, intOrString, object } from '../schema/index.ts';

export const rollingUpdate = object({
  maxSurge: intOrString()
    .optional()
    .describe(
      'Nodes that may exist beyond the wanted number during an update, as a number or a percentage rounded up;',
      'not zero together with `maxUnavailable`.',
    ),
  maxUnavailable: intOrString()
    .optional()
    .describe('Nodes that may be missing during an update, as a number or a percentage rounded down.'),
}).describe('How many nodes are exchanged at a time.');

export const replaceUpgrade = object({
  rollingUpdate: rollingUpdate.optional(),
  strategy: enumOf(['RollingUpdate', 'OnDelete'])
    .optional()
    .describe('`RollingUpdate` exchanges nodes by itself, `OnDelete` waits until you delete the old machines.'),
})
  .describe(
    'How new nodes take the place of old ones.',
    'Given as `{}` it gets no inner defaults and the controller refuses it.',
  )
  .rule(
    "!has(self.rollingUpdate) || self.strategy == 'RollingUpdate'",
    "The 'rollingUpdate' field can only be set when 'strategy' is 'RollingUpdate'",
  );

export const nodePoolManagement = object({
  upgradeType: enumOf(['Replace', 'InPlace'])
    .describe(
      'Whether updates bring new machines (`Replace`) or change running ones and reboot them (`InPlace`);',
      'decided at creation.',
    )
    .immutable('UpgradeType is immutable'),
  autoRepair: boolean()
    .optional()
    .default(false)
    .describe('Replaces nodes that stay unhealthy, unless more than two are at the same time.'),
  inPlace: object({
    maxUnavailable: intOrString()
      .optional()
      .describe('Nodes that may be updated at the same time, as a number or percentage; absent means one.'),
  })
    .optional()
    .describe('Settings for updates in place.'),
  replace: replaceUpgrade
    .optional()
    .default({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }, strategy: 'RollingUpdate' }),
})
  .describe('How nodes are updated and repaired.')
  .rule(
    "!has(self.inPlace) || self.upgradeType == 'InPlace'",
    "The 'inPlace' field can only be set when 'upgradeType' is 'InPlace'",
  );
