import type { Clock, corev1, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core } from '@hypershift-ts/kube-apimachinery';
import { type Client, Informer } from '@hypershift-ts/kube-client';
import type { Enqueue } from '@hypershift-ts/kube-controller';

type Pod = corev1.Pod;

interface Watched {
  readonly nodeName: string;
  readonly pods: Informer<Pod>;
}

/** Nodes watched at once; when a whole fleet is drained the others are listed at every try instead. */
const maxWatched = 100;

const idOf = ({ namespace, name }: ObjectKey) => `${namespace}/${name}`;

/** The pods of nodes that are being drained, each node watched only as long as its drain takes. */
export class DrainWatches {
  private readonly watched = new Map<string, Watched>();
  private enqueue: Enqueue | undefined;

  /** Machines are looked at again as soon as a pod has left their node. */
  onPodGone(enqueue: Enqueue): () => void {
    this.enqueue = enqueue;
    return () => {
      this.enqueue = undefined;
      for (const { pods } of this.watched.values()) void pods.stop();
      this.watched.clear();
    };
  }

  /** The pods on the Machine's node. */
  async podsOn(
    machine: ObjectKey,
    nodeName: string,
    client: Client,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<readonly Pod[]> {
    const id = idOf(machine);
    let entry = this.watched.get(id);
    if (entry?.nodeName !== nodeName) {
      this.end(machine);
      if (this.watched.size >= maxWatched) {
        return (await client.list(core.pods, { fieldSelector: `spec.nodeName=${nodeName}`, signal })).items;
      }
      const pods = new Informer<Pod>({
        client,
        type: core.pods,
        scope: { fieldSelector: `spec.nodeName=${nodeName}` },
        clock,
      });
      const look = () => this.enqueue?.(machine);
      pods.addHandler({ deleted: look });
      pods.start();
      entry = { nodeName, pods };
      this.watched.set(id, entry);
    }
    if (!(await entry.pods.whenSynced(signal)))
      throw new Error(`stopped before the pods of node ${nodeName} could be listed`);
    return entry.pods.list();
  }

  end(machine: ObjectKey): void {
    const entry = this.watched.get(idOf(machine));
    if (!entry) return;
    this.watched.delete(idOf(machine));
    void entry.pods.stop();
  }
}
