import { inspect } from 'node:util';
import { formatMicroTime } from '@hypershift-ts/kube-apimachinery';
import type { Logger } from '@hypershift-ts/kube-controller';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';

/** Log lines of a builtin program, on its standard error as the real programs write theirs. */
export function programLog(context: Pick<BuiltinContext, 'stderr' | 'clock'>, fields: object = {}): Logger {
  const line = (level: string) => (more: object, message: string) => {
    if (context.stderr.writableEnded || context.stderr.destroyed) return;
    context.stderr.write(
      `${formatMicroTime(context.clock.now())} ${level} ${message}${textOf({ ...fields, ...more })}\n`,
    );
  };
  return {
    debug() {},
    info: line('INFO'),
    warn: line('WARN'),
    error: line('ERROR'),
    child: (more) => programLog(context, { ...fields, ...more }),
  };
}

function textOf(fields: object): string {
  let text = '';
  for (const [name, value] of Object.entries(fields))
    text += ` ${name}=${value instanceof Error ? JSON.stringify(value.message) : typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY })}`;
  return text;
}

/** Resolves when the container is asked to stop. */
export function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
