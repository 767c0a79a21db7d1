import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** A bucket of refusals: guessing tokens costs the guesser time, while machines with a token never wait. */
export class RefusalBudget {
  private readonly clock: Clock;
  private readonly perSecond: number;
  private readonly burst: number;
  private level: number;
  private at: number;

  constructor(clock: Clock, perSecond: number, burst: number) {
    this.clock = clock;
    this.perSecond = perSecond;
    this.burst = burst;
    this.level = burst;
    this.at = clock.now();
  }

  /** False when too many were refused lately. */
  take(): boolean {
    const now = this.clock.now();
    this.level = Math.min(this.burst, this.level + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    if (this.level < 1) return false;
    this.level--;
    return true;
  }
}
