/** The programs with which a kubelet runs hosted control planes inside this process. */
export { NearestClient, NearestServer, type NearestClientOptions } from './clients/nearest-client.ts';
export {
  bySubcommand,
  type ControlPlaneProgramsOptions,
  controlPlanePrograms,
  registerControlPlanePrograms,
} from './control-plane-programs.ts';
export { ProcessDirectory } from './directory.ts';
