export { missingCapabilities } from './capabilities.ts';
export { lastingOutages, unavailableComponents } from './components.ts';
export {
  type AvailabilityFacts,
  available,
  degraded,
  etcdAvailable,
  externalDnsReachable,
  infrastructureReady,
  kubeApiServerAvailable,
  type PendingClaim,
  validConfiguration as validControlPlaneConfiguration,
} from './conditions.ts';
