import { type Clock, formatTime } from '@hypershift-ts/kube-apimachinery';

const keptLines = 200;
const longestLine = 500;

/** The serial console of a machine: its last lines, for whoever asks why it does not come up. */
export class Console {
  private readonly clock: Clock;
  private readonly lines: string[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  print(text: string): void {
    this.lines.push(`${formatTime(this.clock.now())} ${text.slice(0, longestLine).replaceAll('\n', ' ')}`);
    if (this.lines.length > keptLines) this.lines.shift();
  }

  /** The newest line, without its time. */
  get last(): string {
    const line = this.lines.at(-1) ?? '';
    return line.slice(line.indexOf(' ') + 1);
  }

  text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }
}
