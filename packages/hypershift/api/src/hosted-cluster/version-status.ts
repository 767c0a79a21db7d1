/** Versions a cluster runs, ran and may run. */
import { condition } from '../common/conditions.ts';
import { boolean, dateTime, enumOf, int64, list, object, raw, string } from '../schema/index.ts';

export const releaseStatus = object({
  image: string(),
  version: string(),
  architecture: enumOf(['Multi', '']).optional().gate('ImageStreamImportMode'),
  channels: list(string(), { type: 'set' }).optional(),
  url: string().optional(),
});

export const updateRiskRule = object({
  type: enumOf(['Always', 'PromQL']),
  promql: object({
    promql: string(),
  }).optional(),
});

export const updateRisk = object({
  name: string({ minLength: 1 }),
  matchingRules: list(updateRiskRule, { type: 'atomic', minItems: 1 }),
  message: string({ minLength: 1 }),
  url: string({ minLength: 1, format: 'uri' }),
  conditions: list(condition, { type: 'map', keys: ['type'], minItems: 1, maxItems: 8 })
    .optional()
    .gate('ClusterUpdateAcceptRisks')
    .rule("self.exists_one(x, x.type == 'Applies')", "must contain a condition of type 'Applies'"),
});

export const conditionalUpdate = object({
  release: releaseStatus,
  risks: list(updateRisk, { type: 'map', keys: ['name'], minItems: 1, maxItems: 200 }),
  conditions: list(condition, { type: 'map', keys: ['type'] }).optional(),
  riskNames: list(string({ maxLength: 256 }), { type: 'set', minItems: 1, maxItems: 500 })
    .optional()
    .gate('ClusterUpdateAcceptRisks'),
});

export const versionHistoryEntry = object({
  completionTime: dateTime().nullable(),
  image: string(),
  startedTime: dateTime(),
  state: string(),
  verified: boolean(),
  acceptedRisks: string().optional(),
  version: string().optional(),
});

export const clusterVersionStatus = object({
  availableUpdates: list(releaseStatus, { maxItems: 100 }).nullable(),
  desired: releaseStatus,
  observedGeneration: int64(),
  conditionalUpdates: list(conditionalUpdate, { type: 'atomic', maxItems: 100 }).optional(),
  history: list(versionHistoryEntry).optional(),
});

export const controlPlaneVersionHistoryEntry = object({
  image: string({ minLength: 1, maxLength: 447 }),
  startedTime: dateTime(),
  state: enumOf(['Completed', 'Partial']),
  version: string({ minLength: 1, maxLength: 64 }).rule(
    raw`self.matches('^\\d+\\.\\d+\\.\\d+.*')`,
    'version must start with semantic version prefix x.y.z',
  ),
  completionTime: dateTime().optional(),
});

export const controlPlaneVersionStatus = object({
  desired: releaseStatus,
  history: list(controlPlaneVersionHistoryEntry, { type: 'atomic', minItems: 1, maxItems: 100 }).optional(),
  observedGeneration: int64({ minimum: 1, maximum: 9007199254740992 }).optional(),
});
