/** Kinds are configuration: what may be declared, what is refused at start, what the server asks about them. */
export { adapterConditionType } from './checks.ts';
export { defaultEntities, managementClusterEntity } from './defaults.ts';
export type { ConditionRule, Entity } from './entity.ts';
export {
  childElsewhere,
  createRegistry,
  hasConditions,
  referenceOf,
  type Registry,
  RegistryError,
  requiredAdapters,
} from './registry.ts';
