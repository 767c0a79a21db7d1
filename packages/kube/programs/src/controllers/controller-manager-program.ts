import { type Client, readSmallFile } from '@hypershift-ts/kube-client';
import { type ControllerManagerOptions, controllerManager, serviceAccountOf } from '@hypershift-ts/kube-controllers';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { loadAuthority } from '@hypershift-ts/kube-pki';
import { programArguments } from '../apiserver/apiserver-args.ts';
import { NearestClient, type NearestServer } from '../clients/nearest-client.ts';
import { apiServerAnswers, clientFrom, serverOf } from '../clients/program-client.ts';
import {
  mayActAsServiceAccounts,
  serviceAccountConfig,
  serviceAccountUser,
} from '../clients/service-account-access.ts';
import type { ProcessDirectory } from '../directory.ts';
import { ProgramFlags } from '../program-flags.ts';
import { programLog } from '../program-log.ts';
import { enabledControllers } from './controller-names.ts';
import { openHealthPort } from './health-port.ts';
import { leaderElectionOf } from './leader-flags.ts';

const agent = 'kube-controller-manager';

/** `kube-controller-manager` inside this process. */
export function controllerManagerProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const flags = new ProgramFlags(programArguments(context));
    const kubeconfig = flags.text('kubeconfig');
    if (!kubeconfig) throw new Error('--kubeconfig is required');
    const { enabled, ignored } = enabledControllers(flags.list('controllers'));
    if (ignored.length > 0) log.info({ controllers: ignored }, 'switched off and not part of this program anyway');
    const inputs = await inputsOf(context, flags);
    const server = serverOf(context, directory, kubeconfig);
    const client = clientFrom(context, server, agent);
    const clients: Client[] = [client];
    let manager: ReturnType<typeof controllerManager> | undefined;
    const closePort = await openHealthPort(context, flags, 10257, async () =>
      manager ? manager.healthz() : { ok: true, text: 'waiting for the API server' },
    );
    try {
      if (!(await apiServerAnswers(client, context, (message) => log.info({}, message)))) return;
      const leaderElection = leaderElectionOf(flags, context, agent);
      const clientFor = flags.boolean('use-service-account-credentials')
        ? await separateClients(context, server, client, clients)
        : undefined;
      manager = controllerManager({
        ...inputs,
        client,
        enabled,
        clock: context.clock,
        logger: log,
        ...(clientFor ? { clientFor } : {}),
        ...(leaderElection ? { leaderElection } : {}),
      });
      log.info({ inProcess: (await server.local()) !== undefined }, 'controllers start');
      await manager.run(context.signal);
    } finally {
      await closePort();
      for (const one of clients) await one.close();
    }
  };
}

async function inputsOf(context: BuiltinContext, flags: ProgramFlags): Promise<Partial<ControllerManagerOptions>> {
  const read = async (name: string) => {
    const file = flags.text(name);
    return file ? readSmallFile(context.path(file)) : undefined;
  };
  const rootCa = await read('root-ca-file');
  const serviceAccountPrivateKey = await read('service-account-private-key-file');
  const certificate = await read('cluster-signing-cert-file');
  const key = await read('cluster-signing-key-file');
  const signingMs = flags.milliseconds('cluster-signing-duration');
  const monitorGracePeriodMs = flags.milliseconds('node-monitor-grace-period');
  const terminatedPodThreshold = flags.number('terminated-pod-gc-threshold');
  const clusterCidr = flags.boolean('allocate-node-cidrs') ? flags.text('cluster-cidr') : undefined;
  return {
    ...(rootCa ? { rootCa } : {}),
    ...(serviceAccountPrivateKey ? { serviceAccountPrivateKey } : {}),
    ...(certificate && key
      ? {
          signer: {
            authority: loadAuthority(certificate, key),
            ...(signingMs ? { maxSeconds: signingMs / 1000 } : {}),
          },
        }
      : {}),
    ...(monitorGracePeriodMs ? { nodeLifecycle: { monitorGracePeriodMs } } : {}),
    ...(terminatedPodThreshold ? { terminatedPodThreshold } : {}),
    ...(clusterCidr ? { nodeIpam: { clusterCidr } } : {}),
  };
}

/** A client for every controller under its own service account, as --use-service-account-credentials asks. */
async function separateClients(
  context: BuiltinContext,
  server: NearestServer,
  client: Client,
  clients: Client[],
): Promise<(name: string) => Client> {
  if (!(await mayActAsServiceAccounts(client)))
    throw new Error(
      '--use-service-account-credentials: the kubeconfig may not create tokens of service accounts in kube-system',
    );
  return (name) => {
    const account = serviceAccountOf[name] ?? name;
    const made = new NearestClient({
      server,
      clock: context.clock,
      userAgent: `${agent}/${name}`,
      actingAs: { user: serviceAccountUser(account), config: serviceAccountConfig(client, account, context.clock) },
    });
    clients.push(made);
    return made;
  };
}
