import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { labels, nodePools, hostedClusters } from '@hypershift-ts/hypershift-api';
import { corev1, errorMessage, type KubeObject, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import picocolors from 'picocolors';
import { clusterText } from '../describe/cluster-text.ts';
import { type ClusterFacts, clusterFacts } from '../describe/facts.ts';
import { rootCause } from '../describe/root-cause.ts';
import { causeText } from '../progress/index.ts';
import {
  addObjects,
  type Collection,
  collectKinds,
  collectNamespace,
  type DumpFile,
  emptyCollection,
  kindsOf,
} from './collect.ts';
import { indexPage } from './index-page.ts';
import { tarOf } from './tar.ts';

export interface DumpOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  /** Namespace of the operator. */
  readonly operatorNamespace: string;
  /** Ask the hosted cluster, too. */
  readonly guest: boolean;
  readonly now: number;
  readonly note?: (text: string) => void;
}

/** The cluster, its pools, and the Secrets and ConfigMaps made or named for it; others in the namespace are not ours to show. */
async function clusterObjects(
  { client, namespace }: DumpOptions,
  { cluster, nodePools: pools }: ClusterFacts,
  into: Collection,
): Promise<void> {
  const folder = `namespaces/${namespace}`;
  const infraID = cluster.spec.infraID ?? '';
  const mark = `referenced-resource.hypershift.openshift.io/${cluster.metadata.name}`;
  const named = new Set([
    cluster.status?.kubeconfig?.name,
    cluster.status?.kubeadminPassword?.name,
    cluster.spec.pullSecret.name,
  ]);
  const isOurs = ({ metadata }: KubeObject) =>
    metadata.labels?.[labels.autoCreatedForInfra.key] === infraID ||
    metadata.annotations?.[mark] !== undefined ||
    named.has(metadata.name);
  const typed = <T extends KubeObject>(items: readonly T[], apiVersion: string, kind: string) =>
    items.map((item) => ({ ...item, apiVersion, kind }));
  addObjects(into, folder, 'hostedclusters', typed([cluster], 'hypershift.openshift.io/v1beta1', hostedClusters.kind));
  addObjects(into, folder, 'nodepools', typed(pools, 'hypershift.openshift.io/v1beta1', nodePools.kind));
  const [secrets, configMaps, events] = await Promise.all([
    client.list(corev1.secrets, { namespace }),
    client.list(corev1.configmaps, { namespace }),
    client.list(corev1.events, { namespace }),
  ]);
  const names = new Set([cluster.metadata.name, ...pools.map(({ metadata }) => metadata.name)]);
  addObjects(into, folder, 'secrets', typed(secrets.items.filter(isOurs), 'v1', 'Secret'));
  addObjects(into, folder, 'configmaps', typed(configMaps.items.filter(isOurs), 'v1', 'ConfigMap'));
  addObjects(
    into,
    folder,
    'events',
    typed(
      events.items.filter(({ involvedObject }) => names.has(involvedObject.name ?? '')),
      'v1',
      'Event',
    ),
  );
}

/** Access across namespaces that was given to this control plane. */
async function clusterScoped({ client }: DumpOptions, facts: ClusterFacts, into: Collection): Promise<void> {
  const key = `${facts.cluster.metadata.namespace}/${facts.cluster.metadata.name}`;
  const isOurs = ({ metadata }: KubeObject) =>
    metadata.annotations?.['hypershift.openshift.io/cluster'] === key ||
    metadata.name?.includes(facts.controlPlaneNamespace);
  for (const type of [rbacv1.clusterroles, rbacv1.clusterrolebindings]) {
    const { items } = await client.list<KubeObject>(type as typeof rbacv1.clusterroles);
    addObjects(
      into,
      'cluster',
      type.resource,
      items.filter(isOurs).map((item) => ({ ...item, apiVersion: 'rbac.authorization.k8s.io/v1', kind: type.kind })),
    );
  }
  await collectKinds(client, [corev1.nodes as never], undefined, into, 'cluster');
}

async function guestCollection(options: DumpOptions, facts: ClusterFacts): Promise<Collection> {
  const into = emptyCollection('Inside the hosted cluster');
  const name = facts.cluster.status?.kubeconfig?.name;
  if (!name) {
    into.problems.push('the hosted cluster has no kubeconfig yet');
    return into;
  }
  const secret = await options.client.get(corev1.secrets, { namespace: options.namespace, name });
  const text = Buffer.from(secret.data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  const client = new HttpClient(clusterConfigFrom(parseKubeconfig(text, `Secret ${name}`, '/')));
  try {
    await client.raw('GET', '/version', { signal: AbortSignal.timeout(10_000) });
    await collectKinds(client, await kindsOf(client, false, into), undefined, into, 'hosted-cluster/cluster');
    await collectKinds(client, await kindsOf(client, true, into), undefined, into, 'hosted-cluster/namespaces');
  } catch (error) {
    into.problems.push(`the hosted cluster does not answer: ${errorMessage(error)}`);
  } finally {
    await client.close();
  }
  return into;
}

/** A part that fails is a problem to report, not the end of the dump. */
async function attempt(into: Collection, what: string, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => into.problems.push(`${what}: ${errorMessage(error)}`));
}

/** All files of the dump. */
export async function dumpFiles(options: DumpOptions): Promise<readonly DumpFile[]> {
  const { client, namespace, name, note } = options;
  const facts = await clusterFacts(client, { namespace, name });
  const own = emptyCollection(`HostedCluster ${namespace}/${name}`);
  await attempt(own, 'objects of the cluster', () => clusterObjects(options, facts, own));
  await attempt(own, 'cluster-scoped objects', () => clusterScoped(options, facts, own));
  note?.(`${own.files.length} files about the cluster`);
  const controlPlane = emptyCollection(`Control plane, namespace ${facts.controlPlaneNamespace}`);
  await attempt(controlPlane, 'control plane', () =>
    collectNamespace(client, facts.controlPlaneNamespace, controlPlane, `namespaces/${facts.controlPlaneNamespace}`),
  );
  note?.(`${controlPlane.files.length} files about the control plane`);
  const operator = emptyCollection(`Operator, namespace ${options.operatorNamespace}`);
  await attempt(operator, 'operator', () =>
    collectNamespace(client, options.operatorNamespace, operator, `namespaces/${options.operatorNamespace}`),
  );
  const guest = options.guest ? await guestCollection(options, facts) : undefined;
  if (guest) note?.(`${guest.files.length} files from inside the hosted cluster`);
  return withIndex(facts, [own, controlPlane, operator, ...(guest ? [guest] : [])], options.now);
}

function withIndex(facts: ClusterFacts, collections: readonly Collection[], now: number): readonly DumpFile[] {
  const cause = rootCause(facts);
  const description = clusterText(facts, picocolors.createColors(false) as typeof picocolors, now);
  const { namespace, name } = facts.cluster.metadata;
  const page = indexPage({
    title: `Dump of HostedCluster ${namespace}/${name}`,
    takenAt: new Date(now).toISOString(),
    rootCause: cause ? causeText(cause) : undefined,
    description,
    collections,
  });
  return [
    { path: 'index.html', content: page },
    { path: 'describe.txt', content: `${description}\n` },
    ...collections.flatMap(({ files }) => files),
  ];
}

/** Writes the files, and all of them in one archive when asked. Nobody else may read them. */
export async function writeDump(
  folder: string,
  files: readonly DumpFile[],
  archive: boolean,
  now: number,
): Promise<void> {
  for (const { path, content } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o600 });
  }
  if (!archive) return;
  const entries = files.map(({ path, content }) => ({
    path: `hypershift-dump/${path}`,
    content: Buffer.from(content),
  }));
  await writeFile(join(folder, 'hypershift-dump.tar.gz'), await promisify(gzip)(tarOf(entries, now)), { mode: 0o600 });
}
