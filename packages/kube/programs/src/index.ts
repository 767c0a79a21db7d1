/** The programs with which a kubelet runs hosted control planes inside this process. */
export {
  kubeconfigClient,
  kubeconfigTextClient,
  kubeconfigVariable,
  serviceAccountClient,
} from './clients/pod-clients.ts';
export { apiServerAnswers } from './clients/program-client.ts';
export { presentedBy, rememberedCertificates } from './clients/presented-certificates.ts';
export { NearestClient, NearestServer, type NearestClientOptions } from './clients/nearest-client.ts';
export {
  bySubcommand,
  type ControlPlaneProgramsOptions,
  controlPlanePrograms,
  registerControlPlanePrograms,
} from './control-plane-programs.ts';
export { type LocalApiServer, ProcessDirectory } from './directory.ts';
export { type Endpoint, type EndpointOptions, openEndpoint } from './https-endpoint.ts';
export { parseDuration, ProgramFlags } from './program-flags.ts';
export { programLog, stopped } from './program-log.ts';
export { watchFiles } from './watched-files.ts';
