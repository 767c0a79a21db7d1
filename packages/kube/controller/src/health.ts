import { errorMessage } from '@hypershift-ts/kube-apimachinery';

/** Throws, or rejects, when something is wrong. */
export type HealthCheck = () => void | Promise<void>;

export interface HealthReport {
  readonly ok: boolean;
  /** The verbose form of the usual health endpoints: one `[+]name ok` or `[-]name failed: reason` a line. */
  readonly text: string;
}

export async function runChecks(checks: ReadonlyMap<string, HealthCheck>): Promise<HealthReport> {
  const lines = await Promise.all(
    [...checks].map(async ([name, check]) => {
      try {
        await check();
        return `[+]${name} ok`;
      } catch (error) {
        return `[-]${name} failed: ${errorMessage(error)}`;
      }
    }),
  );
  const ok = lines.every((line) => line.startsWith('[+]'));
  return { ok, text: [...lines, `healthz check ${ok ? 'passed' : 'failed'}`].join('\n') };
}
