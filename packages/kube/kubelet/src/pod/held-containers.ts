import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { EventRecorder } from '@hypershift-ts/kube-controller';
import type { HeldBack } from './container-start.ts';
import type { ContainerUnit } from './container-unit.ts';
import { nextBackOff, type RestartBackOff } from './restart-back-off.ts';

const configRetryMs = 2_000;

interface Held {
  readonly untilMs: number;
  readonly pull: RestartBackOff | undefined;
}

/** Containers that cannot start for a reason outside them, and when to try again. */
export class HeldContainers {
  private readonly held = new Map<ContainerUnit, Held>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  isHeld(unit: ContainerUnit): boolean {
    return (this.held.get(unit)?.untilMs ?? 0) > this.clock.now();
  }

  /** Milliseconds until the first of them may be tried again. */
  nextMs(): number | undefined {
    let next: number | undefined;
    for (const { untilMs } of this.held.values()) {
      const remaining = untilMs - this.clock.now();
      if (remaining > 0) next = Math.min(next ?? remaining, remaining);
    }
    return next;
  }

  hold(unit: ContainerUnit, { reason, message }: HeldBack, events: EventRecorder, pod: corev1.Pod): void {
    const now = this.clock.now();
    if (reason !== 'ErrImagePull') {
      this.held.set(unit, { untilMs: now + configRetryMs, pull: undefined });
      unit.hold(reason, message);
      events.warning(pod, 'Failed', `Error: ${message}`);
      return;
    }
    const before = this.held.get(unit)?.pull;
    const pull = nextBackOff(before, now, now);
    this.held.set(unit, { untilMs: now + pull.delayMs, pull });
    if (before)
      unit.hold('ImagePullBackOff', `Back-off pulling image "${unit.container.image}": ErrImagePull: ${message}`);
    else {
      unit.hold('ErrImagePull', message);
      events.warning(pod, 'Failed', `Failed to pull image "${unit.container.image}": ${message}`);
    }
  }
}
