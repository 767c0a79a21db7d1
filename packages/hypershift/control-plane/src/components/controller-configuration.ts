import type { ControlPlaneContext } from '../framework/context.ts';
import { configMap, type Manifest } from '../framework/manifest.ts';
import { servingInfo } from '../framework/tls.ts';

/** The configuration file that OpenShift's operators share: where they serve, and with which TLS profile. */
export function controllerConfiguration(
  name: string,
  port: number,
  files?: { readonly certFile: string; readonly keyFile: string },
): Manifest {
  return configMap(name, (context: ControlPlaneContext) => ({
    'config.yaml': JSON.stringify({
      apiVersion: 'config.openshift.io/v1',
      kind: 'GenericControllerConfig',
      servingInfo: servingInfo(context, port, files),
    }),
  }));
}
