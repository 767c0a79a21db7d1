import type { EagerProbing } from './container-runtime.ts';

/** The status a program gives to a GET of this path, query included. */
export type ProbeAnswer = (path: string) => number | Promise<number>;

/** Brings a program of this process and its prober together. */
export class ProgramProbing implements EagerProbing {
  readonly answers = new Map<number, ProbeAnswer>();
  private callback: (() => void) | undefined;
  private isWanted = false;

  /** The program has something new to show. */
  wanted(): void {
    this.isWanted = true;
    this.callback?.();
  }

  onWanted(callback: () => void): void {
    this.callback = callback;
    // A quick program may have been ready before anybody listened.
    if (this.isWanted) callback();
  }

  answer(port: number, path: string): Promise<number> | undefined {
    const answer = this.answers.get(port);
    return answer && Promise.resolve(answer(path));
  }
}
