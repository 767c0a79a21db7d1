/** Versions a cluster runs, ran and may run. */
import { condition } from '../common/conditions.ts';
import { boolean, dateTime, enumOf, int64, list, object, raw, string } from '../schema/index.ts';

export const releaseStatus = object({
  image: string().describe('Pull specification of the release image.'),
  version: string().describe('Version of the release, for example `4.20.1`.'),
  architecture: enumOf(['Multi', ''])
    .optional()
    .gate('ImageStreamImportMode')
    .describe('`Multi` for a release with images for several CPU architectures; otherwise empty.'),
  channels: list(string(), { type: 'set' }).optional().describe('Update channels that offer the release.'),
  url: string().optional().describe('Page with the release notes.'),
});

export const updateRiskRule = object({
  type: enumOf(['Always', 'PromQL']).describe(
    '`Always` applies to every cluster, `PromQL` asks the metrics of this one.',
  ),
  promql: object({
    promql: string().describe('Query that yields 1 when the risk applies and 0 when it does not.'),
  })
    .optional()
    .describe('Query for type `PromQL`.'),
});

export const updateRisk = object({
  name: string({ minLength: 1 }).describe('CamelCase name of the risk.'),
  matchingRules: list(updateRiskRule, { type: 'atomic', minItems: 1 }).describe(
    'Rules tried in turn; the first one that can be evaluated decides whether the risk applies.',
  ),
  message: string({ minLength: 1 }).describe('What the risk is, for people who decide whether to take it.'),
  url: string({ minLength: 1, format: 'uri' }).describe('Page with more about the risk.'),
  conditions: list(condition, { type: 'map', keys: ['type'], minItems: 1, maxItems: 8 })
    .optional()
    .gate('ClusterUpdateAcceptRisks')
    .describe('Whether the risk applies to this cluster.')
    .rule("self.exists_one(x, x.type == 'Applies')", "must contain a condition of type 'Applies'"),
});

export const conditionalUpdate = object({
  release: releaseStatus.describe('Release the update leads to.'),
  risks: list(updateRisk, { type: 'map', keys: ['name'], minItems: 1, maxItems: 200 }).describe('Risks of the update.'),
  conditions: list(condition, { type: 'map', keys: ['type'] })
    .optional()
    .describe('Whether the update is recommended for this cluster, in condition `Recommended`.'),
  riskNames: list(string({ maxLength: 256 }), { type: 'set', minItems: 1, maxItems: 500 })
    .optional()
    .gate('ClusterUpdateAcceptRisks')
    .describe('Names of the risks of the update.'),
});

export const versionHistoryEntry = object({
  completionTime: dateTime()
    .nullable()
    .describe('When the update was finished or replaced by another; null while it runs.'),
  image: string().describe('Release image that was rolled out.'),
  startedTime: dateTime().describe('When the update began.'),
  state: string().describe(
    '`Completed` when everything reached the version, `Partial` while it runs or when it was cut short.',
  ),
  verified: boolean().describe('Whether the signature of the release image was checked before rolling it out.'),
  acceptedRisks: string().optional().describe('Warnings that were overridden to start the update.'),
  version: string().optional().describe('Version that was rolled out; may be empty until the image was read.'),
});

export const clusterVersionStatus = object({
  availableUpdates: list(releaseStatus, { maxItems: 100 })
    .nullable()
    .describe('Updates that are recommended without reserve; null when unknown or none.'),
  desired: releaseStatus.describe('Release the cluster runs or is moving to.'),
  observedGeneration: int64().describe('Generation of the cluster version object this report is about.'),
  conditionalUpdates: list(conditionalUpdate, { type: 'atomic', maxItems: 100 })
    .optional()
    .describe('Updates that may be recommended, depending on risks.'),
  history: list(versionHistoryEntry).optional().describe('Updates done, newest first.'),
});

export const controlPlaneVersionHistoryEntry = object({
  image: string({ minLength: 1, maxLength: 447 }).describe('Release image that was rolled out.'),
  startedTime: dateTime().describe('When the rollout of the control plane began.'),
  state: enumOf(['Completed', 'Partial']).describe(
    '`Completed` when all components on the management cluster run the version, otherwise `Partial`.',
  ),
  version: string({ minLength: 1, maxLength: 64 })
    .describe('Version that was rolled out.')
    .rule(raw`self.matches('^\\d+\\.\\d+\\.\\d+.*')`, 'version must start with semantic version prefix x.y.z'),
  completionTime: dateTime().optional().describe('When the last component reached the version; absent until then.'),
});

export const controlPlaneVersionStatus = object({
  desired: releaseStatus.describe('Release the control plane runs or is moving to.'),
  history: list(controlPlaneVersionHistoryEntry, { type: 'atomic', minItems: 1, maxItems: 100 })
    .optional()
    .describe('Rollouts of the control plane, newest first.'),
  observedGeneration: int64({ minimum: 1, maximum: 9007199254740992 })
    .optional()
    .describe('Generation of the HostedControlPlane this report is about.'),
}).describe('Version of the components on the management cluster; those inside the hosted cluster may lag behind.');
