import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Informer, InformerHandler } from '@hypershift-ts/kube-client';

/** The pods of one node as they come and go; an Informer limited to the node is one. */
export interface PodFeed {
  addHandler(handler: InformerHandler<corev1.Pod>): () => void;
  whenSynced(signal?: AbortSignal): Promise<boolean>;
  list(): corev1.Pod[];
}

const byNode = 'node-name';

/** One informer for the pods of every node of a cluster: events go only to the node they concern. */
export class SharedPods {
  private readonly informer: Informer<corev1.Pod>;
  private readonly handlers = new Map<string, Set<InformerHandler<corev1.Pod>>>();
  private readonly unsubscribe: () => void;

  constructor(informer: Informer<corev1.Pod>) {
    this.informer = informer;
    informer.addIndex(byNode, ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
    this.unsubscribe = informer.addHandler({
      added: (pod, initial) => this.tell(pod, (handler) => handler.added?.(pod, initial)),
      updated: (previous, pod) =>
        // Binding a pod is an update for the cluster and an arrival for the node.
        this.tell(pod, (handler) =>
          previous.spec?.nodeName === pod.spec?.nodeName
            ? handler.updated?.(previous, pod)
            : handler.added?.(pod, false),
        ),
      deleted: (pod, unknown) => this.tell(pod, (handler) => handler.deleted?.(pod, unknown)),
    });
  }

  of(nodeName: string): PodFeed {
    return {
      addHandler: (handler) => this.add(nodeName, handler),
      whenSynced: (signal) => this.informer.whenSynced(signal),
      list: () => this.informer.byIndex(byNode, nodeName),
    };
  }

  stop(): void {
    this.unsubscribe();
    this.handlers.clear();
  }

  private add(nodeName: string, handler: InformerHandler<corev1.Pod>): () => void {
    for (const pod of this.informer.byIndex(byNode, nodeName)) handler.added?.(pod, true);
    const known = this.handlers.get(nodeName) ?? new Set();
    this.handlers.set(nodeName, known);
    known.add(handler);
    return () => {
      known.delete(handler);
      if (known.size === 0 && this.handlers.get(nodeName) === known) this.handlers.delete(nodeName);
    };
  }

  private tell(pod: corev1.Pod, call: (handler: InformerHandler<corev1.Pod>) => void): void {
    for (const handler of this.handlers.get(pod.spec?.nodeName ?? '') ?? []) call(handler);
  }
}
