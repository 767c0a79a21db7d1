import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { ManagementCluster } from './context.ts';
import { optionalKinds, routes } from './optional-kinds.ts';

const idOf = ({ group, version, resource }: ResourceType<KubeObject>): string => `${group}/${version}/${resource}`;
const optional: ReadonlySet<string> = new Set(optionalKinds.map(idOf));
const openShiftSecurity = 'security.openshift.io';

interface GroupList {
  readonly groups?: readonly { readonly name: string }[];
}
interface ResourceList {
  readonly resources?: readonly { readonly name: string }[];
}

/** Asks the management cluster once for its version and which optional kinds it has. */
export async function probeManagementCluster(client: Client): Promise<ManagementCluster> {
  const read = async <T>(path: string): Promise<T> => JSON.parse((await client.raw('GET', path)).body) as T;
  const [{ groups = [] }, { minor }] = await Promise.all([
    read<GroupList>('/apis'),
    read<{ readonly minor?: string }>('/version'),
  ]);
  const names = new Set(groups.map(({ name }) => name));
  // Only the groups in question are read: everything a cluster serves is a lot, and every control plane asks.
  const wanted = optionalKinds.filter(({ group }) => names.has(group));
  const paths = [...new Set(wanted.map(({ group, version }) => `/apis/${group}/${version}`))];
  const lists = await Promise.all(
    paths.map((path) =>
      read<ResourceList>(path).then(
        ({ resources = [] }) => resources.map(({ name }) => `${path}/${name}`),
        () => [],
      ),
    ),
  );
  const served = new Set(lists.flat());
  const present = wanted.filter(({ group, version, resource }) => served.has(`/apis/${group}/${version}/${resource}`));
  return management(new Set(present.map(idOf)), Number.parseInt(minor ?? '0', 10), names.has(openShiftSecurity));
}

export function managementCluster(
  resources: readonly ResourceType<KubeObject>[],
  kubernetesMinor: number,
): ManagementCluster {
  const hasSecurity = resources.some(({ group }) => group === openShiftSecurity);
  return management(new Set(resources.map(idOf)), kubernetesMinor, hasSecurity);
}

function management(served: ReadonlySet<string>, kubernetesMinor: number, hasSecurity: boolean): ManagementCluster {
  const answers = new Map<ResourceType<KubeObject>, boolean>();
  const serves = (type: ResourceType<KubeObject>): boolean => {
    const known = answers.get(type);
    if (known !== undefined) return known;
    const answer = !optional.has(idOf(type)) || served.has(idOf(type));
    answers.set(type, answer);
    return answer;
  };
  return { kubernetesMinor, serves, assignsUserIds: hasSecurity && serves(routes) };
}
