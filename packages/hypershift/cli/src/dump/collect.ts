import { type corev1, errorMessage, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Client, RestMapper } from '@hypershift-ts/kube-client';
import { yamlText } from '../terminal/index.ts';
import { redacted, redactedText } from './redact.ts';

/** A file of the dump, by its path below the artifact folder. */
export interface DumpFile {
  readonly path: string;
  readonly content: string;
}

/** What was found, and what could not be read. */
export interface Collection {
  readonly title: string;
  readonly files: DumpFile[];
  readonly counts: { readonly path: string; readonly kind: string; readonly count: number }[];
  readonly pods: corev1.Pod[];
  readonly events: corev1.Event[];
  readonly problems: string[];
}

const pageSize = 500;
const mostOfAKind = 5000;
const logBytes = 5 << 20;
const patienceMs = 30_000;

export function emptyCollection(title: string): Collection {
  return { title, files: [], counts: [], pods: [], events: [], problems: [] };
}

async function listAll(
  client: Client,
  type: ResourceType,
  namespace: string | undefined,
  labelSelector?: string,
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  let next: string | undefined;
  do {
    const page = await client.list(type, {
      limit: pageSize,
      signal: AbortSignal.timeout(patienceMs),
      ...(namespace ? { namespace } : {}),
      ...(labelSelector ? { labelSelector } : {}),
      ...(next ? { continue: next } : {}),
    });
    found.push(
      ...page.items.map((item) => ({
        ...item,
        apiVersion: item.apiVersion ?? typeVersion(type),
        kind: item.kind ?? type.kind,
      })),
    );
    next = page.metadata.continue || undefined;
  } while (next && found.length < mostOfAKind);
  return found;
}

const typeVersion = ({ group, version }: ResourceType) => (group ? `${group}/${version}` : version);

/** Writes the objects of one kind down. */
export function addObjects(into: Collection, folder: string, name: string, objects: readonly KubeObject[]): void {
  const [first] = objects;
  if (!first) return;
  const path = `${folder}/${name}.yaml`;
  into.files.push({ path, content: objects.map((object) => `---\n${yamlText(redacted(object))}`).join('') });
  into.counts.push({ path, kind: first.kind, count: objects.length });
  if (first.kind === 'Pod') into.pods.push(...(objects as readonly corev1.Pod[]));
  if (first.kind === 'Event' && first.apiVersion === 'v1') into.events.push(...(objects as readonly corev1.Event[]));
}

interface Resource extends ResourceType {
  readonly verbs?: readonly string[];
}

/** One version of each kind that can be listed; events only once. */
function listable(resources: readonly Resource[], namespaced: boolean): readonly Resource[] {
  const seen = new Set<string>();
  return resources.filter((resource) => {
    const key = `${resource.group}/${resource.resource}`;
    if (resource.namespaced !== namespaced || seen.has(key) || resource.group === 'events.k8s.io') return false;
    if (resource.verbs && !resource.verbs.includes('list')) return false;
    seen.add(key);
    return true;
  });
}

/** Everything of a namespace, whatever kinds the server knows. */
export async function collectNamespace(
  client: Client,
  namespace: string,
  into: Collection,
  folder: string,
): Promise<void> {
  await collectKinds(client, await kindsOf(client, true, into), namespace, into, folder);
  await collectLogs(
    client,
    into.pods.filter(({ metadata }) => metadata.namespace === namespace),
    into,
    folder,
  );
}

export async function kindsOf(client: Client, namespaced: boolean, into: Collection): Promise<readonly Resource[]> {
  try {
    return listable((await new RestMapper(client).resources()) as readonly Resource[], namespaced);
  } catch (error) {
    into.problems.push(`the kinds of the server cannot be listed: ${errorMessage(error)}`);
    return [];
  }
}

/** Objects of these kinds, of one namespace or of all. */
export async function collectKinds(
  client: Client,
  kinds: readonly ResourceType[],
  namespace: string | undefined,
  into: Collection,
  folder: string,
): Promise<void> {
  for (const type of kinds) {
    const name = type.group ? `${type.resource}.${type.group}` : type.resource;
    try {
      addObjects(into, folder, name, await listAll(client, type, namespace));
    } catch (error) {
      into.problems.push(`${name}${namespace ? ` in ${namespace}` : ''}: ${errorMessage(error)}`);
    }
  }
}

async function log(client: Client, pod: corev1.Pod, container: string, previous: boolean): Promise<string> {
  const query = new URLSearchParams({
    container,
    limitBytes: String(logBytes),
    timestamps: 'true',
    ...(previous ? { previous: 'true' } : {}),
  });
  const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}/log?${query.toString()}`;
  return (await client.raw('GET', path, { signal: AbortSignal.timeout(patienceMs) })).body;
}

/** Logs of every container, and of its previous run where it had one. */
async function collectLogs(
  client: Client,
  pods: readonly corev1.Pod[],
  into: Collection,
  folder: string,
): Promise<void> {
  for (const pod of pods) {
    const restarted = new Set(
      (pod.status?.containerStatuses ?? []).filter(({ restartCount }) => restartCount > 0).map(({ name }) => name),
    );
    const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].map(({ name }) => name);
    for (const container of containers)
      for (const previous of restarted.has(container) ? [false, true] : [false])
        try {
          const text = await log(client, pod, container, previous);
          const name = `${container}${previous ? '.previous' : ''}.log`;
          if (text)
            into.files.push({ path: `${folder}/pods/${pod.metadata.name}/${name}`, content: redactedText(text) });
        } catch (error) {
          into.problems.push(
            `log of ${pod.metadata.namespace}/${pod.metadata.name} ${container}: ${errorMessage(error)}`,
          );
        }
  }
}
