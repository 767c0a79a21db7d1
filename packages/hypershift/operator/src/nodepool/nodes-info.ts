/** What the nodes of a pool run. */
import { annotations, type NodePool } from '@hypershift-ts/hypershift-api';
import { isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';

type Status = NonNullable<NodePool['status']>;
type NodeVersion = NonNullable<Status['nodesInfo']>['nodeVersions'][number];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Nodes counted by version; undefined while no machine has a node. */
export function nodesInfo(machines: readonly capiv1beta1.Machine[]): Status['nodesInfo'] {
  const counted = new Map<string, NodeVersion>();
  for (const { metadata, spec, status } of machines) {
    const kubeletVersion = status?.nodeInfo?.kubeletVersion;
    // A machine that an older operator made carries its release only in its spec.
    const ocpVersion = metadata.annotations?.[annotations.releaseVersion.key] ?? spec.version;
    if (!kubeletVersion || !ocpVersion) continue;
    const key = `${ocpVersion} ${kubeletVersion}`;
    const before = counted.get(key) ?? { ocpVersion, kubeletVersion, readyNodeCount: 0, unreadyNodeCount: 0 };
    const ready = isConditionTrue(status.conditions, 'NodeHealthy') ? 1 : 0;
    counted.set(key, {
      ...before,
      readyNodeCount: before.readyNodeCount + ready,
      unreadyNodeCount: before.unreadyNodeCount + 1 - ready,
    });
  }
  if (counted.size === 0) return undefined;
  const nodeVersions = [...counted.values()].sort(
    (a, b) => compare(a.ocpVersion, b.ocpVersion) || compare(a.kubeletVersion, b.kubeletVersion),
  );
  return { nodeVersions };
}

const coreos = /Red Hat Enterprise Linux CoreOS (?:(\d)\d{2}\.|(9|10)\.)/;

function streamOf(osImage: string): 'rhel-9' | 'rhel-10' | undefined {
  const [, build, generation] = coreos.exec(osImage) ?? [];
  if (build === '4' || generation === '9') return 'rhel-9';
  return build === '5' || generation === '10' ? 'rhel-10' : undefined;
}

/** The generation of the operating system that most nodes run; undefined without a majority. */
export function osStreamOf(machines: readonly capiv1beta1.Machine[]): 'rhel-9' | 'rhel-10' | undefined {
  const streams = machines.flatMap(({ status }) => streamOf(status?.nodeInfo?.osImage ?? '') ?? []);
  return (['rhel-9', 'rhel-10'] as const).find(
    (stream) => streams.filter((other) => other === stream).length * 2 > streams.length,
  );
}
