import { join } from 'node:path';
import { hostedClusters } from '@hypershift-ts/hypershift-api';
import type { RealPrograms } from '@hypershift-ts/hypershift-embedded';
import { writeSecret } from '@hypershift-ts/kube-embedded';
import { getIfPresent } from '@hypershift-ts/kube-controller';
import { type Connection, withConnection } from '../cluster-access/index.ts';
import { coreDefaults, createCluster, platformBuilders } from '../create-cluster/index.ts';
import { kubeconfigText } from '../create-kubeconfig/index.ts';
import { launch, shown } from '../kube/background.ts';
import { describePrograms, programArguments, realPrograms } from '../kube/real-programs.ts';
import { runningCluster } from '../kube/state-file.ts';
import { operatorAvailable } from '../install/index.ts';
import { causeText, oneLine, waitForCluster } from '../progress/index.ts';
import { ownName, type Terminal, terminalOf } from '../terminal/index.ts';
import type { UpOptions } from './command.ts';
import { runSample, untilAnswers } from './sample.ts';

const operatorTimeoutMs = 60_000;
const clusterTimeoutMs = 600_000;

/** Management cluster, operator, hosted cluster, nodes, kubeconfig: each step says what it waits for. */
export async function runUp(options: UpOptions, terminal: Terminal = terminalOf()): Promise<void> {
  const { dim, green } = terminal.noteColors;
  const done = (text: string) => terminal.note(`${green('✓')} ${text}`);
  const begin = Date.now();
  const running = await runningCluster(options.dataDir);
  const programs = await realPrograms(options.dataDir, options);
  const state = running ?? (await launch(options.dataDir, foregroundArguments(options, programs)));
  done(`management cluster ${running ? 'runs already' : 'is up'} at ${state.server}`);
  for (const line of await describePrograms(programs)) done(line);
  await withConnection({ kubeconfig: state.kubeconfig }, async (connection) => {
    await operatorAvailable(connection.client, 'hypershift', operatorTimeoutMs);
    done('the HyperShift operator runs');
    if (!options.cluster) return explainManagement(terminal, state.kubeconfig, options);
    await bringUpCluster(options, connection, terminal);
    const kubeconfig = join(options.dataDir, `${options.name}.kubeconfig`);
    const text = await kubeconfigText(connection.client, options);
    await writeSecret(kubeconfig, text);
    await untilAnswers(text);
    if (options.nodePoolReplicas > 0) done(await runSample(text));
    // What starts again is looked at anew: what was said at first may have been from before.
    await untilUp(options, connection, terminal);
    terminal.note(dim(`took ${((Date.now() - begin) / 1000).toFixed(1)} s`));
    explain(terminal, { management: state.kubeconfig, hosted: kubeconfig }, options);
  });
}

async function bringUpCluster(options: UpOptions, { client }: Connection, terminal: Terminal): Promise<void> {
  const { name, namespace, nodePoolReplicas, controlPlaneAvailabilityPolicy } = options;
  const { dim, green } = terminal.noteColors;
  if (!(await getIfPresent(client, hostedClusters, { namespace, name }))) {
    // Machines of every platform are simulated here; KubeVirt's need no account of a cloud.
    const platform = platformBuilders.find(({ command }) => command === 'kubevirt')!;
    await createCluster({
      platform,
      flags: { ...coreDefaults, name, namespace, nodePoolReplicas, controlPlaneAvailabilityPolicy } as never,
      client,
      isEmbedded: true,
      note: (text) => terminal.note(dim(text)),
    });
    terminal.note(`${green('✓')} HostedCluster ${namespace}/${name} is created`);
  }
  await untilUp(options, { client }, terminal);
  terminal.note(
    `${green('✓')} HostedCluster ${namespace}/${name} is available${nodePoolReplicas > 0 ? ', its nodes are ready' : ''}`,
  );
}

async function untilUp(
  { name, namespace, nodePoolReplicas }: UpOptions,
  { client }: Pick<Connection, 'client'>,
  terminal: Terminal,
): Promise<void> {
  await waitForCluster({
    client,
    namespace,
    name,
    goal: nodePoolReplicas > 0 ? 'rolled-out' : 'available',
    timeoutMs: clusterTimeoutMs,
    onProgress: (cause) => terminal.progress(`… waiting for ${oneLine(causeText(cause))}`),
  });
}

function foregroundArguments(options: UpOptions, programs: RealPrograms): readonly string[] {
  const { dataDir, securePort, auditLogPath } = options;
  const own = ['up', '--foreground', '--data-dir', dataDir, '--secure-port', String(securePort)];
  const args = [...own, ...programArguments(programs)];
  return auditLogPath ? [...args, '--audit-log-path', auditLogPath] : args;
}

function explain(
  terminal: Terminal,
  files: { readonly management: string; readonly hosted: string },
  { name, namespace, dataDir }: UpOptions,
): void {
  terminal.print(`
The hosted cluster:
  kubectl --kubeconfig ${shown(files.hosted)} get nodes
  kubectl --kubeconfig ${shown(files.hosted)} -n sample get pods -o wide
  kubectl --kubeconfig ${shown(files.hosted)} -n sample logs deployment/hello

The management cluster:
  kubectl --kubeconfig ${shown(files.management)} get hostedclusters,nodepools -A
  ${ownName()} describe cluster ${name} --namespace ${namespace}
  ${ownName()} status

Machines are simulated on this machine: nodes join by the real protocol, pods on them run as simulations.
Stop everything with \`make down\` or \`${ownName()} down --data-dir ${shown(dataDir)}\`; state stays.
`);
}

function explainManagement(terminal: Terminal, kubeconfig: string, { dataDir }: UpOptions): void {
  terminal.print(`
  kubectl --kubeconfig ${shown(kubeconfig)} get nodes
  ${ownName()} create cluster none --name demo --wait

Stop it with \`${ownName()} down --data-dir ${shown(dataDir)}\`; state stays.
`);
}
