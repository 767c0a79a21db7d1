import { createHash } from 'node:crypto';
import { decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** Where a key stands in the API server's configuration. */
export type KeyRole = 'absent' | 'read' | 'write';

export interface EncryptionConfiguration {
  readonly resources: readonly string[];
  /** Names of keys or key services in order; the first one encrypts. */
  readonly keys: readonly string[];
  /** As the API server's pods carry it. */
  readonly hash: string;
}

/** Reads an EncryptionConfiguration as far as rotation needs it; undefined when there is none. */
export function readConfiguration(text: string | undefined): EncryptionConfiguration | undefined {
  if (!text) return undefined;
  const parsed: unknown = decodeYaml(text).value;
  const [first] = listOf(isJsonObject(parsed) ? parsed['resources'] : undefined);
  if (!isJsonObject(first)) return undefined;
  const keys = listOf(first['providers']).flatMap((provider) => {
    if (!isJsonObject(provider)) return [];
    const { kms, aescbc } = provider;
    if (isJsonObject(kms)) return [kms['name']];
    return isJsonObject(aescbc)
      ? listOf(aescbc['keys']).map((key) => (isJsonObject(key) ? key['name'] : undefined))
      : [];
  });
  return {
    resources: listOf(first['resources']).filter((name) => typeof name === 'string'),
    keys: keys.filter((name) => typeof name === 'string'),
    hash: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  };
}

export function roleOf(configuration: EncryptionConfiguration | undefined, key: string | undefined): KeyRole {
  const at = key === undefined ? -1 : (configuration?.keys.indexOf(key) ?? -1);
  if (at < 0) return 'absent';
  return at === 0 ? 'write' : 'read';
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
