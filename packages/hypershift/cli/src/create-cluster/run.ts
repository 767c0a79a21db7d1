import { writeFile } from 'node:fs/promises';
import { UserError } from '../cli-error.ts';
import { type AccessOptions, type Connection, connect, withConnection } from '../cluster-access/index.ts';
import { causeText, waitForCluster } from '../progress/index.ts';
import { formatted, ownName, type Terminal, terminalOf, yamlDocuments } from '../terminal/index.ts';
import { serverVersions } from '../version/report.ts';
import { productVersion } from '../version/version.ts';
import type { CoreFlags, DeliveryFlags } from './core-flags.ts';
import { checkCluster } from './check-cluster.ts';
import { createCluster, planCluster } from './create.ts';
import { type ClusterObjects, inOrder } from './objects.ts';
import type { PlatformBuilder } from './platform-builder.ts';

export type CreateFlags = CoreFlags & DeliveryFlags & { readonly [flag: string]: unknown };

/** `create cluster <platform>`: render, or create and wait. */
export async function runCreateCluster(
  platform: PlatformBuilder,
  flags: CreateFlags,
  terminal = terminalOf(),
): Promise<void> {
  if (flags.render || flags.renderInto) return renderCluster(platform, flags, terminal);
  await withConnection(flags, (connection) => createAndWait(platform, flags, connection, terminal));
}

async function renderCluster(platform: PlatformBuilder, flags: CreateFlags, terminal: Terminal): Promise<void> {
  const connection = await connectIfPossible(flags);
  try {
    const client = connection?.client;
    const objects = await planCluster({ platform, flags, note: terminal.note, ...(client ? { client } : {}) });
    const text = yamlDocuments(inOrder(objects, flags.renderSensitive === true));
    if (flags.renderInto) await writeFile(flags.renderInto, text, { mode: 0o600 });
    else terminal.print(text);
    if (!flags.renderSensitive) terminal.note('Secrets are left out; --render-sensitive renders them, too.');
  } finally {
    await connection?.client.close();
  }
}

/** Rendering works without a management cluster; one that is there tells the address of its nodes. */
async function connectIfPossible(flags: AccessOptions): Promise<Connection | undefined> {
  try {
    const connection = await connect(flags);
    await connection.isEmbedded();
    return connection;
  } catch (error) {
    if (flags.kubeconfig) throw error;
    return undefined;
  }
}

async function createAndWait(
  platform: PlatformBuilder,
  flags: CreateFlags,
  connection: Connection,
  terminal: Terminal,
): Promise<void> {
  const { client } = connection;
  if (flags.versionCheck) await checkVersions(connection);
  await checkCluster(client, flags);
  const { green } = terminal.noteColors;
  const objects = await createCluster({
    platform,
    flags,
    client,
    isEmbedded: await connection.isEmbedded(),
    note: terminal.note,
    onApplied: (name) => terminal.note(`${green('✓')} ${name}`),
  });
  if (flags.output) terminal.print(formatted(objects.cluster, flags.output));
  const { name = '', namespace = '' } = objects.cluster.metadata;
  if (!flags.wait) return terminal.note(nextSteps(objects));
  const goal = flags.nodePoolReplicas > 0 ? 'rolled-out' : 'available';
  await waitForCluster({
    client,
    namespace,
    name,
    goal,
    timeoutMs: flags.timeout,
    onProgress: (cause) => terminal.progress(`… waiting for ${causeText(cause)}`),
  });
  terminal.note(`${green('✓')} HostedCluster ${namespace}/${name} is ready`);
  terminal.note(usage(name, namespace));
}

/** Refuses when the operator is another version than this program, or does not say which one it is. */
async function checkVersions(connection: Connection): Promise<void> {
  const { operator } = await serverVersions(connection, 'hypershift');
  if (operator === productVersion) return;
  throw new UserError(
    `this program is version ${productVersion}, and the operator ${operator ? `is ${operator}` : 'does not say which version it is'}`,
    'Use the program that belongs to the operator, or leave --version-check out.',
  );
}

const usage = (name: string, namespace: string) =>
  `\nUse it:\n  ${ownName()} create kubeconfig --name ${name} --namespace ${namespace} > ${name}.kubeconfig\n  kubectl --kubeconfig ${name}.kubeconfig get namespaces`;

function nextSteps({ cluster }: ClusterObjects): string {
  const { name = '', namespace = '' } = cluster.metadata;
  return `\nWatch it come up:\n  ${ownName()} describe cluster ${name} --namespace ${namespace}${usage(name, namespace)}`;
}
