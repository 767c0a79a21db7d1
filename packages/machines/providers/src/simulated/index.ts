/** The simulated cloud: machines that really boot, behind the infrastructure providers' own kinds. */
export { BootError } from './machine/machine-error.ts';
export {
  type ClusterConnections,
  type HostedCluster,
  HostedClusters,
  httpsConnections,
} from './machine/hosted-clusters.ts';
export { IgnitionAgents } from './machine/ignition-fetch.ts';
export { Layers, MachineRoot } from './machine/machine-root.ts';
export { simulatedAnnotation } from './machine/node-description.ts';
export { type OperatingSystem, operatingSystemOf } from './machine/operating-system.ts';
export {
  type MachineHost,
  type MachineSpec,
  type MachineState,
  SimulatedMachine,
} from './machine/simulated-machine.ts';
export { parseUserData, type UserData } from './machine/user-data.ts';
