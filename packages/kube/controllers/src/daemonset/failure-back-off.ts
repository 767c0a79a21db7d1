import type { corev1 } from '@hypershift-ts/kube-apimachinery';

interface Failures {
  uid: string;
  count: number;
  until: number;
  seen: number;
}

const firstMs = 1_000;
const maxMs = 15 * 60_000;

/** How long a daemon that keeps failing on a node is left lying before it is replaced. */
export class FailureBackOff {
  private readonly byPlace = new Map<string, Failures>();

  /** Milliseconds until this failed pod may be replaced; 0 for the first failure. */
  waitFor(place: string, pod: corev1.Pod, now: number): number {
    const uid = pod.metadata.uid ?? '';
    let known = this.byPlace.get(place);
    // Quiet for twice the longest pause: start over. Also keeps the table from growing with vanished nodes.
    if (known && now - known.seen > 2 * maxMs) known = undefined;
    if (!known) {
      this.forgetOld(now);
      this.byPlace.set(place, { uid, count: 0, until: now, seen: now });
      return 0;
    }
    if (known.uid !== uid) {
      known.uid = uid;
      known.until = now + Math.min(maxMs, firstMs * 2 ** Math.min(known.count, 20));
      known.count++;
      known.seen = now;
    }
    return Math.max(0, known.until - now);
  }

  private forgetOld(now: number): void {
    for (const [place, { seen }] of this.byPlace) if (now - seen > 2 * maxMs) this.byPlace.delete(place);
  }
}
