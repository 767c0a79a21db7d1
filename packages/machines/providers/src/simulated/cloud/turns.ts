import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { sharedDelayHeap } from '@hypershift-ts/kube-controller';

export interface TurnsOptions {
  readonly clock: Clock;
  /** How many have a turn at the same time. */
  readonly most: number;
  /** Whoever takes longer goes on, but no longer keeps others waiting. */
  readonly patienceMs: number;
}

/** Lets thousands begin something together without all of them being in the middle of it at the same time. */
export class Turns {
  private readonly options: TurnsOptions;
  private readonly waiting: (() => void)[] = [];
  private taken = 0;

  constructor(options: TurnsOptions) {
    this.options = options;
  }

  /** Works when it is its turn. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken >= this.options.most) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.taken++;
    const heap = sharedDelayHeap(this.options.clock);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.taken--;
      this.waiting.shift()?.();
    };
    const timer = heap.after(this.options.patienceMs, end);
    try {
      return await work();
    } finally {
      heap.cancel(timer);
      end();
    }
  }
}
