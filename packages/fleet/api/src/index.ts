/** The HyperFleet API: clusters, node pools and other kinds of a fleet, the reports about them, and their conditions. */
export { fleetApiCommand } from './command.ts';
export { type FleetApi, type FleetApiOptions, openDatabase, startFleetApi } from './server.ts';
export { type Config, ConfigError, type ConfigSources, loadConfig } from './config/index.ts';
export { migrations } from './store/migrations.ts';
export { ApiError, type FieldProblem, type Problem } from './errors/index.ts';
export {
  createRegistry,
  defaultEntities,
  type Entity,
  managementClusterEntity,
  type Registry,
} from './registry/index.ts';
export { aggregate, type AggregationInput } from './conditions/index.ts';
export type { AdapterCondition, AdapterStatus, Resource, ResourceCondition } from './resources/index.ts';
export type { Logger } from './observability/index.ts';
