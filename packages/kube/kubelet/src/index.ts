/** Nodes inside this process: pods run as builtin programs, host processes or simulations, and Services on loopback. */
export {
  CertificateRefusedError,
  type CertificateOrder,
  type CertificatePair,
  orderCertificate,
} from './bootstrap/certificate-order.ts';
export { type CsrFeed, SharedCsrs } from './bootstrap/csr-feed.ts';
export { KeptCertificate, type KeptCertificateOptions, type PairStore } from './bootstrap/kept-certificate.ts';
export { Kubelet, type KubeletOptions, startKubelet } from './kubelet.ts';
export type { LogLimits } from './logs/container-log.ts';
export { LoopbackAddresses } from './node/loopback-addresses.ts';
export type { NodeDescription, Pressure } from './node/node-object.ts';
export { type PodFeed, SharedPods } from './pod/pod-feed.ts';
export {
  type BuiltinContext,
  type BuiltinEntry,
  type BuiltinProgram,
  BuiltinRegistry,
  builtinRuntime,
} from './runtime/builtin-runtime.ts';
export {
  type ContainerLaunch,
  type ContainerRuntime,
  type EagerProbing,
  type ExecOptions,
  type ExecSession,
  type RunningContainer,
  type RunResult,
  type RuntimeName,
  StartError,
} from './runtime/container-runtime.ts';
export type { HostCommands } from './runtime/host-commands.ts';
export type { Mount } from './runtime/mount-paths.ts';
export { processContext, type ProcessSurroundings } from './runtime/process-context.ts';
export type { ProgramProcesses } from './runtime/program-process-runtime.ts';
export type { ProbeAnswer } from './runtime/program-probing.ts';
export type { ProcessImage } from './runtime/process-runtime.ts';
export { runtimeAnnotation, simulateAnnotation, simulatedContainersAnnotation } from './runtime/runtime-resolver.ts';
export type { RuntimeOptions } from './runtime/runtimes.ts';
export { type SimulatedOptions, simulatedExitCode, simulatedRuntimeSeconds } from './runtime/simulated-runtime.ts';
export type { KubeletTls } from './server/kubelet-server.ts';
export { firstOpenPort, portHere } from './services/ports-here.ts';
export { ClusterNames } from './services/cluster-names.ts';
export { resolveService } from './services/service-names.ts';
export { loopbackLoadBalancers } from './services/load-balancer.ts';
export { ServiceProxy, type ServiceProxyOptions, startServiceProxy } from './services/service-proxy.ts';
