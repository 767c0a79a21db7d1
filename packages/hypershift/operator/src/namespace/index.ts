/** The namespace of a control plane. */
import { annotations, type HostedCluster, labels } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

export interface NamespaceFacts {
  /** Whether pods of the control plane operator's image can live with the restricted level. */
  readonly restrictedPodSecurity: boolean;
  readonly clusterMonitoring: boolean;
  /** User id for pods, on management clusters that assign none. */
  readonly securityContextUid?: number | undefined;
  /** Whether the operator runs as part of ARO. */
  readonly managedAzure?: boolean;
}

const firstUid = 1001;
const uidPool = 10_000;

/** The lowest user id no other control plane has. */
export function nextSecurityContextUid(
  namespaces: readonly corev1.Namespace[],
  promised: Iterable<number> = [],
): number {
  const key = annotations.defaultSecurityContextUid.key;
  const taken = new Set([...promised, ...namespaces.map(({ metadata }) => Number(metadata.annotations?.[key]))]);
  for (let uid = firstUid; uid < firstUid + uidPool; uid++) if (!taken.has(uid)) return uid;
  throw new Error(
    `all ${uidPool} user ids from ${firstUid} on are taken by control plane namespaces; delete hosted clusters, or use another management cluster`,
  );
}

/** Hands out user ids, also while the namespaces that hold them are only being made. One for the whole operator. */
export class SecurityContextUids {
  private readonly promised = new Map<string, number>();

  /** The id of a namespace: the one it has, else the one it was promised, else the lowest free one. */
  of(name: string, live: corev1.Namespace | undefined, all: () => readonly corev1.Namespace[]): number {
    const written = Number(live?.metadata.annotations?.[annotations.defaultSecurityContextUid.key]);
    if (written > 0) {
      this.promised.delete(name);
      return written;
    }
    const known = this.promised.get(name);
    if (known !== undefined) return known;
    const uid = nextSecurityContextUid(all(), this.promised.values());
    this.promised.set(name, uid);
    return uid;
  }

  /** Takes back a promise to a namespace that will not be made after all. */
  forget(name: string): void {
    this.promised.delete(name);
  }
}

/**
 * Whether a namespace may be used for a cluster: `a-b/c` and `a/b-c` want the same one, and the first that has it keeps
 * it. One without an owner is taken over.
 */
export function isNamespaceOf(live: corev1.Namespace, cluster: HostedCluster): boolean {
  const owner = live.metadata.annotations?.[annotations.cluster.key];
  return owner === undefined || owner === belongsTo(cluster)[annotations.cluster.key];
}

export function desiredNamespace(cluster: HostedCluster, facts: NamespaceFacts): corev1.Namespace {
  const override = cluster.metadata.annotations?.[annotations.podSecurityAdmissionLabelOverride.key];
  const level = override || (facts.restrictedPodSecurity ? 'restricted' : 'privileged');
  const resourceId = facts.managedAzure && cluster.metadata.annotations?.[annotations.azureResourceId.key];
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: controlPlaneNamespaceOf(cluster),
      labels: {
        [labels.hostedControlPlane.key]: 'true',
        'pod-security.kubernetes.io/enforce': level,
        'pod-security.kubernetes.io/audit': level,
        'pod-security.kubernetes.io/warn': level,
        'security.openshift.io/scc.podSecurityLabelSync': 'false',
        ...(facts.clusterMonitoring ? { 'openshift.io/cluster-monitoring': 'true' } : {}),
      },
      annotations: {
        ...belongsTo(cluster),
        ...(facts.securityContextUid === undefined
          ? {}
          : { [annotations.defaultSecurityContextUid.key]: String(facts.securityContextUid) }),
        ...(resourceId ? { [annotations.azureResourceId.key]: resourceId } : {}),
      },
    },
  };
}
