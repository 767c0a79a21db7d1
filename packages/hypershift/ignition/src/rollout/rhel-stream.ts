import { decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { ConfigSource } from '../machine-config/documents.ts';
import { splitDocuments } from '../machine-config/documents.ts';
import { atLeast } from './release-version.ts';

export type RhelStream = 'rhel-9' | 'rhel-10';

/** The stream that a pool uses: the one asked for, else what the release and its container runtime call for. */
export function rhelStream(explicit: string | undefined, releaseVersion: string, usesRunc: boolean): RhelStream {
  const since5 = atLeast(releaseVersion, 5, 0);
  if (!explicit) return since5 && !usesRunc ? 'rhel-10' : 'rhel-9';
  if (explicit === 'rhel-9') return 'rhel-9';
  if (explicit !== 'rhel-10')
    throw new Error(`unknown RHEL stream "${explicit}"; valid values are "rhel-9" and "rhel-10"`);
  if (!since5) throw new Error(`stream "rhel-10" requires OCP >= 5.0, but release version is ${releaseVersion}`);
  if (usesRunc) throw new Error('stream "rhel-10" is incompatible with runc: RHEL 10 does not ship runc');
  return 'rhel-10';
}

/** The stream as the rollout hash counts it: the default counts as nothing, so naming it rolls nothing. */
export function hashedStream(explicit: string | undefined, releaseVersion: string, usesRunc: boolean): string {
  if (!explicit) return '';
  return explicit === rhelStream(undefined, releaseVersion, usesRunc) ? '' : explicit;
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
