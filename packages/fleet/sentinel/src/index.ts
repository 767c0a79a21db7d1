/** The Sentinel: polls the HyperFleet API and tells adapters which resources need them. */
export { ListError, ResourceList, type ResourceListOptions, selectorSearch } from './api/resource-list.ts';
export {
  type DecisionConfig,
  defaultDecision,
  loadSentinelConfig,
  type SentinelConfig,
} from './config/sentinel-config.ts';
export { type PollReport, Sentinel, type SentinelLog, type SentinelOptions } from './sentinel.ts';
export { uuidV7 } from './uuid-v7.ts';
export { sentinelCommand } from './command.ts';
