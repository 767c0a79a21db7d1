/** What a pool's tuning ConfigMaps ask the node tuning operator for. */
import { type ConfigSource, splitDocuments } from '@hypershift-ts/hypershift-ignition';
import { decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';

type Kind = 'Tuned' | 'PerformanceProfile';

/** Members that `spec` of each kind may have; a misspelt one would be ignored without a word. */
const kinds: { readonly [kind in Kind]: { readonly group: string; readonly members: readonly string[] } } = {
  Tuned: { group: 'tuned.openshift.io/', members: ['managementState', 'profile', 'recommend'] },
  PerformanceProfile: {
    group: 'performance.openshift.io/',
    members: [
      'additionalKernelArgs',
      'cpu',
      'globallyDisableIrqLoadBalancing',
      'hardwareTuning',
      'hugepages',
      'kernelPageSize',
      'machineConfigLabel',
      'machineConfigPoolSelector',
      'net',
      'nodeSelector',
      'numa',
      'realTimeKernel',
      'workloadHints',
    ],
  },
};

export interface TuningDocuments {
  /** All Tuned objects in one text; empty when there are none. */
  readonly tuned: string;
  readonly profile: { readonly source: string; readonly text: string } | undefined;
}

/** A pool's tuning cannot be used; the user must change it. */
export class TuningError extends Error {
  override readonly name = 'TuningError';
  readonly retry = 'after-user-change';
}

const allowed = Object.keys(kinds).join(' or ');
const word = (value: unknown): string => (typeof value === 'string' ? value : 'nothing');

function kindOf(source: string, text: string): Kind {
  const bad = (why: string) => new TuningError(`configmap "${source}" ${why}`);
  let value: unknown;
  try {
    ({ value } = decodeYaml(text));
  } catch (error) {
    throw bad(`holds no YAML under key "tuning": ${(error as Error).message}`);
  }
  const { apiVersion, kind, spec } = isJsonObject(value) ? value : {};
  const found = Object.entries(kinds).find(([name, { group }]) => name === kind && word(apiVersion).startsWith(group));
  if (!found) throw bad(`holds ${word(apiVersion)} ${word(kind)}; key "tuning" may hold ${allowed} objects only`);
  const stray = Object.keys(isJsonObject(spec) ? spec : {}).filter((member) => !found[1].members.includes(member));
  if (stray.length > 0) throw bad(`has unknown fields in spec of its ${found[0]}: ${stray.join(', ')}; remove them`);
  return found[0] as Kind;
}

/** Reads key `tuning` of the ConfigMaps. Throws TuningError. */
export function tuningDocuments(sources: readonly ConfigSource[]): TuningDocuments {
  const tuned: string[] = [];
  const profiles: { readonly source: string; readonly text: string }[] = [];
  for (const { name, data } of sources) {
    const config = data?.['tuning'];
    if (config === undefined)
      throw new TuningError(`configmap "${name}" has no key "tuning"; put ${allowed} objects under it`);
    for (const text of splitDocuments(config))
      if (kindOf(name, text) === 'Tuned') tuned.push(text);
      else profiles.push({ source: name, text });
  }
  if (profiles.length > 1)
    throw new TuningError(
      `a pool may have one PerformanceProfile, found ${profiles.length} in ${profiles.map(({ source }) => source).join(', ')}; remove all but one from spec.tuningConfig`,
    );
  return { tuned: tuned.sort().join('\n---\n'), profile: profiles[0] };
}
