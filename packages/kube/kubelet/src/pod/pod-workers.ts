import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { NodeContext } from '../node/node-context.ts';
import type { PodFeed } from './pod-feed.ts';
import { PodWorker } from './pod-worker.ts';

/** The workers of a node, one per pod, fed by an informer. */
export class PodWorkers {
  private readonly node: NodeContext;
  private readonly byUid = new Map<string, PodWorker>();
  private unsubscribe: () => void = () => {};

  constructor(node: NodeContext) {
    this.node = node;
  }

  follow(pods: PodFeed): void {
    this.unsubscribe = pods.addHandler({
      added: (pod) => this.offer(pod),
      updated: (_previous, pod) => this.offer(pod),
      deleted: ({ metadata }) => this.byUid.get(metadata.uid ?? '')?.vanished(),
    });
  }

  find(namespace: string, name: string): PodWorker | undefined {
    for (const worker of this.byUid.values()) {
      const { metadata } = worker.pod;
      if (metadata.name === name && metadata.namespace === namespace) return worker;
    }
    return undefined;
  }

  has(uid: string): boolean {
    return this.byUid.has(uid);
  }

  all(): Iterable<PodWorker> {
    return this.byUid.values();
  }

  get size(): number {
    return this.byUid.size;
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    await Promise.all([...this.byUid.values()].map((worker) => worker.shutdown()));
    this.byUid.clear();
  }

  private offer(pod: corev1.Pod): void {
    const uid = pod.metadata.uid ?? '';
    const known = this.byUid.get(uid);
    if (known) return known.update(pod);
    const worker = new PodWorker(pod, this.node, () => {
      this.byUid.delete(uid);
      this.node.events.forget?.(pod);
    });
    this.byUid.set(uid, worker);
    worker.wake();
  }
}
