/** Objects of a build, as its store held them: recorded once for each build, replayed into every later one. */
import { readFile, writeFile } from 'node:fs/promises';
import { formatTime, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { restoreMemory, type Store } from '@hypershift-ts/kube-store';

/**
 * What a backup of hosted clusters holds. Keys and certificates of control planes are left out: operators make them
 * anew, and no private key is kept in the repository.
 */
const kept: readonly RegExp[] = [
  /^\/registry\/core\/namespaces\/clusters/,
  /^\/registry\/core\/configmaps\/clusters\/(?!kube-root-ca)/,
  /^\/registry\/core\/secrets\/clusters\/.*(pull-secret|encryption-key|ssh-key)$/,
  /^\/registry\/core\/secrets\/clusters-[^/]+\/(token|user-data)-/,
  /^\/registry\/hypershift\.openshift\.io\/(hostedclusters|hostedcontrolplanes|nodepools)\//,
  /^\/registry\/(infrastructure\.)?cluster\.x-k8s\.io\//,
];

interface Line {
  readonly key: string;
  readonly object: KubeObject;
}

const place = (build: string): URL => new URL(`fixtures/${build}/objects.jsonl`, import.meta.url);

/** Writes the objects that matter down, one a line, in the order of their keys. */
export async function record(store: Store, build: string): Promise<void> {
  const [, ...entries] = Buffer.from(await store.snapshot())
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const lines = entries
    .map((line) => JSON.parse(line) as readonly [key: string, value: string])
    .filter(([key]) => kept.some((pattern) => pattern.test(key)))
    .map(([key, value]): Line => ({ key, object: withoutManagers(JSON.parse(value) as KubeObject) }));
  await writeFile(place(build), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Disks of machines and the data of the hosted cluster are not recorded, so machines join anew; only young ones without
 * a node may.
 */
function unborn(object: KubeObject): KubeObject {
  if (object.kind !== 'Machine') return object;
  const { status: _, ...rest } = object as KubeObject & { readonly status?: unknown };
  return { ...rest, metadata: { ...rest.metadata, creationTimestamp: formatTime(Date.now()) } };
}

/** A store that holds what the build left behind, the identities of all objects included. */
export async function replayed(build: string): Promise<Store> {
  const lines = (await readFile(place(build), 'utf8')).trimEnd().split('\n');
  const revision = lines.length + 1;
  const header = { format: 'hypershift-ts-store/1', revision, entries: lines.length };
  const entries = lines.map((line, index) => {
    const { key, object } = JSON.parse(line) as Line;
    return [key, JSON.stringify(unborn(object)), index + 2, index + 2];
  });
  const text = [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return restoreMemory(Buffer.from(text));
}
