import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import type { ImageSpec } from '../rollout/global-config.ts';
import type { IgnitionFile } from '../spec/ignition-config.ts';
import { fileOf, lines } from './files.ts';
import type { MirroredSource } from './mirrors.ts';
import { tomlString, tomlStrings } from './toml.ts';

type RegistrySources = NonNullable<ImageSpec['registrySources']>;

/** `/etc/containers/registries.conf`: mirrors, blocked and insecure registries. */
export function registriesFile(mirrors: readonly MirroredSource[], sources: RegistrySources): IgnitionFile {
  const insecure = new Set(sources.insecureRegistries);
  const blocked = new Set(sources.blockedRegistries);
  const named = new Set([...mirrors.map(({ source }) => source), ...insecure, ...blocked]);
  const bySource = new Map(mirrors.map((mirror) => [mirror.source, mirror]));
  const tables = [...named].sort().flatMap((source) => {
    const mirror = bySource.get(source);
    // A wildcard is a pattern of names, so it has no location of its own.
    const location = source.startsWith('*.') ? `prefix = ${tomlString(source)}` : `location = ${tomlString(source)}`;
    const isBlocked = blocked.has(source) || mirror?.neverContactSource === true;
    return [
      '',
      '[[registry]]',
      ...(source.startsWith('*.') ? [] : ['prefix = ""']),
      location,
      ...(insecure.has(source) ? ['insecure = true'] : []),
      ...(isBlocked ? ['blocked = true'] : []),
      ...(mirror?.mirrors ?? []).flatMap((to) => [
        '',
        '  [[registry.mirror]]',
        `  location = ${tomlString(to)}`,
        ...(covers(insecure, to) ? ['  insecure = true'] : []),
        '  pull-from-mirror = "digest-only"',
      ]),
    ];
  });
  const search = tomlStrings(['registry.access.redhat.com', 'docker.io']);
  return fileOf(
    '/etc/containers/registries.conf',
    lines(`unqualified-search-registries = ${search}`, 'short-name-mode = ""', ...tables),
  );
}

/** An entry for a host covers its repositories. */
const covers = (registries: ReadonlySet<string>, repository: string): boolean =>
  [...registries].some((registry) => repository === registry || repository.startsWith(`${registry}/`));

/** The registries tried for names without one, when the cluster sets them. */
export function searchRegistriesFile(sources: RegistrySources): IgnitionFile[] {
  const registries = sources.containerRuntimeSearchRegistries ?? [];
  if (registries.length === 0) return [];
  const contents = lines(`unqualified-search-registries = ${tomlStrings(registries)}`, 'short-name-mode = ""');
  return [fileOf('/etc/containers/registries.conf.d/01-image-searchRegistries.conf', contents)];
}

/** Signature requirements for one scope, from a ClusterImagePolicy. */
export interface ScopePolicy {
  readonly scope: string;
  readonly requirements: readonly JsonObject[];
}

/** `/etc/containers/policy.json`: which images may run. */
export function policyFile(scopes: readonly ScopePolicy[], sources: RegistrySources): IgnitionFile {
  const accept: JsonValue = [{ type: 'insecureAcceptAnything' }];
  const reject: JsonValue = [{ type: 'reject' }];
  const docker: Record<string, JsonValue> = {};
  const allowed = sources.allowedRegistries ?? [];
  for (const registry of [...allowed].sort()) docker[registry] = accept;
  for (const registry of [...(sources.blockedRegistries ?? [])].sort()) docker[registry] = reject;
  for (const { scope, requirements } of scopes) docker[scope] = requirements;
  const policy = {
    default: allowed.length > 0 ? reject : accept,
    transports: {
      ...(allowed.length > 0 ? { atomic: docker } : {}),
      ...(Object.keys(docker).length > 0 ? { docker } : {}),
      'docker-daemon': { '': accept },
    },
  };
  return fileOf('/etc/containers/policy.json', `${JSON.stringify(policy, undefined, 2)}\n`);
}
