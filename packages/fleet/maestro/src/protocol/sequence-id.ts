import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** Where the clock of snowflake ids begins. */
const epochMs = 1_288_834_974_657n;
/** Every agent is this node, so that one may take the place of another. */
const agentNode = 1n;
const lastStep = 4095n;

/** Numbers the status events of an agent: ids grow, also within a millisecond and when the clock steps back. */
export class SequenceIds {
  private readonly clock: Clock;
  private ms = 0n;
  private step = 0n;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  next(): string {
    const now = BigInt(Math.floor(this.clock.now()));
    if (now > this.ms) {
      this.ms = now;
      this.step = 0n;
    } else if (this.step < lastStep) this.step++;
    else {
      // More ids in this millisecond than it has room for, or a clock that went back: borrow from the next.
      this.ms++;
      this.step = 0n;
    }
    return String(((this.ms - epochMs) << 22n) | (agentNode << 12n) | this.step);
  }
}

export interface SequenceParts {
  readonly timeMs: number;
  readonly node: number;
  readonly step: number;
}

/** The parts of an id; undefined when it is none. */
export function sequenceParts(id: string): SequenceParts | undefined {
  if (!/^\d{1,20}$/.test(id)) return undefined;
  const value = BigInt(id);
  return {
    timeMs: Number((value >> 22n) + epochMs),
    node: Number((value >> 12n) & 0x3ffn),
    step: Number(value & 0xfffn),
  };
}

/** Whether a status may replace the one stored. Ids of two nodes cannot be compared: that is an error, as upstream has it. */
export function isNewerSequence(candidate: string, stored: string | undefined): boolean {
  if (!stored) return true;
  const [mine, known] = [sequenceParts(candidate), sequenceParts(stored)];
  if (!mine) throw new Error(`the sequence id ${JSON.stringify(candidate)} is no snowflake id`);
  // Whatever was stored, it gives no order; the newcomer does.
  if (!known) return true;
  if (mine.node !== known.node)
    throw new Error(`the sequence ids ${candidate} and ${stored} are of different nodes and cannot be compared`);
  return mine.timeMs > known.timeMs || (mine.timeMs === known.timeMs && mine.step > known.step);
}
