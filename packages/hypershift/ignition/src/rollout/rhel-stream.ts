import { defaultRhelStream, parseVersion } from '@hypershift-ts/hypershift-release';
import { decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { ConfigSource } from '../machine-config/documents.ts';
import { splitDocuments } from '../machine-config/documents.ts';

/** The stream as the rollout hash counts it: the default counts as nothing, so naming it rolls nothing. */
export function hashedStream(explicit: string | undefined, releaseVersion: string, usesRunc: boolean): string {
  if (!explicit) return '';
  return explicit === defaultRhelStream(parseVersion(releaseVersion), usesRunc) ? '' : explicit;
}

/** Does a ContainerRuntimeConfig among the user's documents choose runc? Documents that cannot be read count as no. */
export function usesRunc(sources: readonly ConfigSource[]): boolean {
  return sources.some(({ data }) => {
    try {
      return splitDocuments(data?.['config'] ?? '').some(choosesRunc);
    } catch {
      return false;
    }
  });
}

function choosesRunc(text: string): boolean {
  if (!text.includes('runc')) return false;
  try {
    const { value } = decodeYaml(text);
    const spec = isJsonObject(value) && value['kind'] === 'ContainerRuntimeConfig' ? value['spec'] : undefined;
    const runtime = isJsonObject(spec) ? spec['containerRuntimeConfig'] : undefined;
    return isJsonObject(runtime) && runtime['defaultRuntime'] === 'runc';
  } catch {
    return false;
  }
}
