import { connectionChecker, runConnectionChecker } from '@hypershift-ts/hypershift-config-operator';
import { type Client, clusterConfigFrom, parseKubeconfig } from '@hypershift-ts/kube-client';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  NearestClient,
  NearestServer,
  type ProcessDirectory,
  ProgramFlags,
  programLog,
} from '@hypershift-ts/kube-programs';
import type { Resolve, SimulatedMachine } from '@hypershift-ts/machines-providers';

const account = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * `control-plane-operator kas-connection-checker`: asks for the API server from a node and writes down when it last
 * answered.
 */
export function connectionCheckerProgram(clientOf: (context: BuiltinContext) => Client): BuiltinProgram {
  return async (context) => {
    const path = new ProgramFlags([...(context.command ?? []).slice(2), ...context.args]).text('path');
    const client = clientOf(context);
    try {
      await runConnectionChecker({
        client,
        ...(path ? { path } : {}),
        clock: context.clock,
        logger: programLog(context),
        signal: context.signal,
      });
    } finally {
      await client.close();
    }
  };
}

/** On a simulated machine the way to the API server is the machine's own, as the proxy on a real node would take it. */
export function machineClient(
  machine: SimulatedMachine,
  directory: ProcessDirectory,
  resolve: Resolve,
): (context: BuiltinContext) => Client {
  return (context) => {
    const config = async () => {
      const own = parseKubeconfig((await machine.root.read('/etc/kubernetes/kubeconfig')) ?? '', 'kubeconfig', '/');
      const url = new URL(clusterConfigFrom(own).server);
      const place = resolve({ host: url.hostname, port: Number(url.port || 443) });
      return {
        server: `https://${place.host}:${place.port}`,
        certificateAuthority: { file: context.path(`${account}/ca.crt`) },
        tokenFile: context.path(`${account}/token`),
        ...(place.host === url.hostname ? {} : { tlsServerName: url.hostname }),
      };
    };
    const server = new NearestServer({ config, directory, clock: context.clock });
    return new NearestClient({ server, clock: context.clock, userAgent: connectionChecker.name });
  };
}
