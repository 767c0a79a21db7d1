import { readSmallFile } from '@hypershift-ts/kube-client';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { scheduler } from '@hypershift-ts/kube-controllers';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { programArguments } from '../apiserver/apiserver-args.ts';
import { apiServerAnswers, clientFrom, serverOf } from '../clients/program-client.ts';
import type { ProcessDirectory } from '../directory.ts';
import { ProgramFlags } from '../program-flags.ts';
import { programLog } from '../program-log.ts';
import { openHealthPort } from './health-port.ts';
import { leaderElectionOf } from './leader-flags.ts';

const agent = 'kube-scheduler';

/** `kube-scheduler` inside this process. */
export function schedulerProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const flags = await schedulerFlags(context);
    const kubeconfig = flags.text('kubeconfig');
    if (!kubeconfig)
      throw new Error('--kubeconfig is required, or clientConnection.kubeconfig in the file of --config');
    const server = serverOf(context, directory, kubeconfig);
    const client = clientFrom(context, server, agent);
    const closePort = await openHealthPort(context, flags, 10259, async () => ({ ok: true, text: 'ok' }));
    try {
      if (!(await apiServerAnswers(client, context, (message) => log.info({}, message)))) return;
      const leaderElection = leaderElectionOf(flags, context, agent);
      const running = scheduler({
        client,
        clock: context.clock,
        logger: log,
        ...(leaderElection ? { leaderElection } : {}),
      });
      log.info({ inProcess: (await server.local()) !== undefined }, 'scheduling starts');
      await running.run(context.signal);
    } finally {
      await closePort();
      await client.close();
    }
  };
}

/** The command line over what the file of --config (a KubeSchedulerConfiguration in JSON) says. */
async function schedulerFlags(context: BuiltinContext): Promise<ProgramFlags> {
  const words = programArguments(context);
  const file = new ProgramFlags(words).text('config');
  if (!file) return new ProgramFlags(words);
  const config: unknown = JSON.parse(await readSmallFile(context.path(file)));
  if (!isJsonObject(config) || config['kind'] !== 'KubeSchedulerConfiguration')
    throw new Error(`--config: ${file} is not a KubeSchedulerConfiguration`);
  const fromFile: string[] = [];
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'boolean') fromFile.push(`--${name}=${value}`);
  };
  const connection = isJsonObject(config['clientConnection']) ? config['clientConnection'] : {};
  const election = isJsonObject(config['leaderElection']) ? config['leaderElection'] : {};
  add('kubeconfig', connection['kubeconfig']);
  add('leader-elect', election['leaderElect']);
  add('leader-elect-lease-duration', election['leaseDuration']);
  add('leader-elect-renew-deadline', election['renewDeadline']);
  add('leader-elect-retry-period', election['retryPeriod']);
  add('leader-elect-resource-name', election['resourceName']);
  add('leader-elect-resource-namespace', election['resourceNamespace']);
  return new ProgramFlags([...fromFile, ...words]);
}
