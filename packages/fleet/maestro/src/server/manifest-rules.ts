import type { ManifestBundle } from '../protocol/payloads.ts';

const groupPattern = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const versionPattern = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const namespacePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const forbidden = ['generateName', 'resourceVersion', 'deletionGracePeriodSeconds'] as const;

/** What is wrong with the objects of a work; the first thing of each object. */
export function manifestProblems({ manifests = [] }: ManifestBundle): readonly string[] {
  const seen = new Set<string>();
  return manifests.flatMap((manifest, index) => {
    const problem = problemOf(manifest, seen);
    return problem ? [`manifests[${index}]: ${problem}`] : [];
  });
}

function problemOf(manifest: unknown, seen: Set<string>): string | undefined {
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) return 'is no object';
  const { apiVersion, kind, metadata } = manifest as Record<string, unknown>;
  if (typeof apiVersion !== 'string' || apiVersion === '') return 'apiVersion is required';
  const [version = '', group] = apiVersion.split('/').toReversed();
  if (!versionPattern.test(version) || (group !== undefined && !groupPattern.test(group)))
    return `apiVersion ${JSON.stringify(apiVersion)} is no group and version`;
  if (typeof kind !== 'string' || kind === '') return 'kind is required';
  const { name, namespace = '', ...rest } = (metadata ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return 'metadata.name is required';
  if (typeof namespace !== 'string' || (namespace !== '' && !namespacePattern.test(namespace)))
    return `metadata.namespace ${JSON.stringify(namespace)} is no RFC 1123 label`;
  const excess = forbidden.find((field) => rest[field] !== undefined && rest[field] !== '' && rest[field] !== null);
  if (excess) return `metadata.${excess} must not be set`;
  const place = [apiVersion, kind, namespace, name].join('\0');
  if (seen.has(place)) return `${kind} ${name} is there twice`;
  seen.add(place);
  return undefined;
}
