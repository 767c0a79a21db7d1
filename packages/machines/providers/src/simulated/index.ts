/** The simulated cloud: machines that really boot, behind the infrastructure providers' own kinds. */
export { CloudError } from './cloud/cloud-error.ts';
export { type Fault, Faults } from './cloud/faults.ts';
export type { Instance, InstanceRequest, InstanceState } from './cloud/instance.ts';
export type { InstanceShape } from './cloud/instance-shape.ts';
export { openFileLimit } from './cloud/open-files.ts';
export { type Latencies, SimulatedCloud, type SimulatedCloudOptions } from './cloud/simulated-cloud.ts';
export { BootError } from './machine/machine-error.ts';
export {
  type ClusterConnections,
  type HostedCluster,
  HostedClusters,
  httpsConnections,
} from './machine/hosted-clusters.ts';
export { ignitionAgent } from './machine/ignition-fetch.ts';
export { SettingsByLayer } from './machine/kubelet-settings.ts';
export { Layers, MachineRoot } from './machine/machine-root.ts';
export { simulatedAnnotation } from './machine/node-description.ts';
export type { Place, Resolve } from './machine/names.ts';
export { type OperatingSystem, operatingSystemOf } from './machine/operating-system.ts';
export { processConnections, type ProcessConnectionsOptions } from './machine/process-connections.ts';
export {
  type MachineHost,
  type MachineSpec,
  type MachineState,
  SimulatedMachine,
} from './machine/simulated-machine.ts';
export { parseUserData, type UserData } from './machine/user-data.ts';
export { consoleAnnotation, consoleWantedAnnotation } from './provider/console-request.ts';
export { cloudIdOf } from './provider/machine-controller.ts';
export { machineKinds } from './provider/machine-kinds.ts';
export { runSimulatedProvider, type SimulatedProviderOptions } from './provider/run.ts';
