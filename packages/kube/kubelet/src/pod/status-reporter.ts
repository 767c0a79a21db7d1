import { corev1, isConflict, isForbidden, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { podText } from './container-state.ts';
import { type OwnedStatus, statusPatch } from './pod-status.ts';

type Annotations = Readonly<Record<string, string>>;

/** Writes what the kubelet says about a pod, when it differs from what the server has. */
export class StatusReporter {
  private readonly client: Client;
  private readonly log: Logger;
  private mayAnnotate = true;

  constructor(client: Client, log: Logger) {
    this.client = client;
    this.log = log;
  }

  /** Answers the pod as written; undefined when nothing had to be written or the pod is gone. */
  async report(
    pod: corev1.Pod,
    desired: OwnedStatus,
    annotations: Annotations | undefined,
  ): Promise<corev1.Pod | undefined> {
    const status = statusPatch(pod, desired);
    const missing = this.missing(pod, annotations);
    if (!status && !missing) return undefined;
    const { name = '', namespace = '', uid } = pod.metadata;
    // The uid refuses the write when the name belongs to another pod by now.
    const body = { metadata: { uid, ...(missing ? { annotations: missing } : {}) }, ...(status ? { status } : {}) };
    try {
      const answer = await this.client.patch(
        corev1.pods,
        { namespace, name },
        { type: 'strategic', body },
        { subresource: 'status' },
      );
      return this.missing(answer, annotations) ? await this.annotate(answer, annotations) : answer;
    } catch (error) {
      // Gone, or another pod of that name: the informer will say so; there is nobody left to tell.
      if (isNotFound(error) || isConflict(error)) return undefined;
      throw error;
    }
  }

  private missing(pod: corev1.Pod, wanted: Annotations | undefined): Annotations | undefined {
    if (!wanted || !this.mayAnnotate) return undefined;
    const present = pod.metadata.annotations ?? {};
    return Object.entries(wanted).some(([key, value]) => present[key] !== value) ? wanted : undefined;
  }

  /** For servers that take no metadata together with a status. */
  private async annotate(pod: corev1.Pod, annotations: Annotations | undefined): Promise<corev1.Pod> {
    const { name = '', namespace = '', uid } = pod.metadata;
    try {
      const body = { metadata: { uid, annotations } };
      return await this.client.patch(corev1.pods, { namespace, name }, { type: 'merge', body });
    } catch (error) {
      if (!isForbidden(error)) throw error;
      // Node credentials may not write pods; the log of the container still says that it is simulated.
      this.mayAnnotate = false;
      this.log.warn({ error, pod: podText(pod) }, 'a simulated pod could not be annotated');
      return pod;
    }
  }
}
