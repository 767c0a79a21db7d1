/** The HyperFleet API: clusters, node pools and other kinds of a fleet, the reports about them, and their conditions. */
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
