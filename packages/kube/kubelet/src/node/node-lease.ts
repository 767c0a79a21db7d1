import {
  type Clock,
  coordinationv1,
  type corev1,
  formatMicroTime,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

const namespace = 'kube-node-lease';
const durationSeconds = 40;

/** The node's sign of life: one small object, rewritten every few seconds. */
export class NodeLease {
  private readonly client: Client;
  private readonly clock: Clock;
  private readonly node: () => corev1.Node | undefined;
  private readonly nodeName: string;
  private lease: coordinationv1.Lease | undefined;

  constructor(client: Client, clock: Clock, nodeName: string, node: () => corev1.Node | undefined) {
    this.client = client;
    this.clock = clock;
    this.nodeName = nodeName;
    this.node = node;
  }

  /** Renews the lease, making it when it is missing. */
  async renew(): Promise<void> {
    for (let tries = 0; tries < 3; tries++) {
      try {
        this.lease = this.lease
          ? await this.client.update(coordinationv1.leases, { ...this.lease, ...this.wanted(this.lease) })
          : await this.client.create(coordinationv1.leases, this.wanted(undefined));
        return;
      } catch (error) {
        if (isAlreadyExists(error) || isConflict(error))
          this.lease = await this.client.get(coordinationv1.leases, { namespace, name: this.nodeName });
        else if (isNotFound(error) && this.lease) this.lease = undefined;
        else throw error;
      }
    }
  }

  private wanted(live: coordinationv1.Lease | undefined): Pick<coordinationv1.Lease, 'metadata' | 'spec'> {
    const uid = this.node()?.metadata.uid;
    const owner = { apiVersion: 'v1', kind: 'Node', name: this.nodeName, uid: uid ?? '' };
    return {
      metadata: {
        ...live?.metadata,
        name: this.nodeName,
        namespace,
        ...(uid ? { ownerReferences: [owner] } : {}),
      },
      spec: {
        holderIdentity: this.nodeName,
        leaseDurationSeconds: durationSeconds,
        renewTime: formatMicroTime(this.clock.now()),
      },
    };
  }
}
