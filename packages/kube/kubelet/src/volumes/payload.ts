import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { fieldValue, type PodFacts, resourceValue } from '../environment/field-values.ts';
import type { Payload, PayloadFile } from './atomic-writer.ts';

/** What volumes are made of; the objects of the pod's namespace, and tokens. */
export interface PayloadSources {
  readonly facts: PodFacts;
  configMap(name: string): Promise<corev1.ConfigMap | undefined>;
  secret(name: string): Promise<corev1.Secret | undefined>;
  token(projection: corev1.ServiceAccountTokenProjection): Promise<string>;
}

/** A volume needs something that is not there. */
export class VolumeError extends Error {}

interface KeyedSource {
  readonly name?: string;
  readonly items?: readonly corev1.KeyToPath[];
  readonly optional?: boolean;
}

const defaultFileMode = 0o644;

/** The files of a configMap, secret, downwardAPI or projected volume; undefined for other volumes. */
export async function volumePayload(volume: corev1.Volume, sources: PayloadSources): Promise<Payload | undefined> {
  const files = new Map<string, PayloadFile>();
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) await addConfigMap(files, configMap, configMap.defaultMode, sources);
  else if (secret) await addSecret(files, { ...secret, name: secret.secretName ?? '' }, secret.defaultMode, sources);
  else if (downwardAPI) addDownward(files, downwardAPI.items, downwardAPI.defaultMode, sources.facts);
  else if (projected) {
    for (const source of projected.sources ?? []) await addProjection(files, source, projected.defaultMode, sources);
  } else return undefined;
  return files;
}

async function addProjection(
  files: Map<string, PayloadFile>,
  source: corev1.VolumeProjection,
  defaultMode: number | undefined,
  sources: PayloadSources,
): Promise<void> {
  if (source.configMap) await addConfigMap(files, source.configMap, defaultMode, sources);
  else if (source.secret) await addSecret(files, source.secret, defaultMode, sources);
  else if (source.downwardAPI) addDownward(files, source.downwardAPI.items, defaultMode, sources.facts);
  else if (source.serviceAccountToken) {
    const token = await sources.token(source.serviceAccountToken);
    // Tokens are for the container's user alone unless the volume says otherwise.
    files.set(source.serviceAccountToken.path, { data: Buffer.from(token), mode: defaultMode ?? 0o600 });
  } else throw new VolumeError(`the projection ${Object.keys(source).join(', ')} is not supported on this node`);
}

async function addConfigMap(
  files: Map<string, PayloadFile>,
  source: KeyedSource,
  mode: number | undefined,
  sources: PayloadSources,
): Promise<void> {
  const found = await sources.configMap(source.name ?? '');
  if (!found && !source.optional) throw new VolumeError(`configmap "${source.name}" not found`);
  const text = Object.entries(found?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'utf8')] as const);
  const binary = Object.entries(found?.binaryData ?? {}).map(
    ([key, value]) => [key, Buffer.from(value, 'base64')] as const,
  );
  addKeys(files, new Map([...text, ...binary]), source, mode, 'configmap');
}

async function addSecret(
  files: Map<string, PayloadFile>,
  source: KeyedSource,
  mode: number | undefined,
  sources: PayloadSources,
): Promise<void> {
  const found = await sources.secret(source.name ?? '');
  if (!found && !source.optional) throw new VolumeError(`secret "${source.name}" not found`);
  const data = Object.entries(found?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const);
  addKeys(files, new Map(data), source, mode, 'secret');
}

function addKeys(
  files: Map<string, PayloadFile>,
  data: ReadonlyMap<string, Buffer>,
  source: KeyedSource,
  defaultMode: number | undefined,
  kind: string,
): void {
  const mode = defaultMode ?? defaultFileMode;
  if (!source.items || source.items.length === 0) {
    for (const [key, bytes] of data) files.set(key, { data: bytes, mode });
    return;
  }
  for (const item of source.items) {
    const bytes = data.get(item.key);
    if (bytes) files.set(item.path, { data: bytes, mode: item.mode ?? mode });
    else if (!source.optional) throw new VolumeError(`references non-existent ${kind} key: ${item.key}`);
  }
}

function addDownward(
  files: Map<string, PayloadFile>,
  items: readonly corev1.DownwardAPIVolumeFile[] | undefined,
  defaultMode: number | undefined,
  facts: PodFacts,
): void {
  for (const { path, mode, fieldRef, resourceFieldRef } of items ?? []) {
    const text = fieldRef ? fieldValue(fieldRef.fieldPath, facts) : resourceText(resourceFieldRef, facts);
    files.set(path, { data: Buffer.from(text), mode: mode ?? defaultMode ?? defaultFileMode });
  }
}

function resourceText(selector: corev1.ResourceFieldSelector | undefined, facts: PodFacts): string {
  const container = facts.pod.spec?.containers.find(({ name }) => name === selector?.containerName);
  if (!selector || !container) throw new VolumeError(`container ${selector?.containerName} is not part of the pod`);
  return resourceValue(selector, container, facts);
}
