import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** What a command needs of the process it runs in. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}
