import { type CommandContext, createLog } from '@hypershift-ts/fleet-serving';
import { type Clock, errorMessage, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Logger } from '@hypershift-ts/kube-controller';

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The log of a command, in the form that the parts expect. */
export function loggerOf({ env, out, version }: CommandContext, component: string, clock: Clock): Logger {
  const log = createLog({
    level: env['LOG_LEVEL'],
    format: env['LOG_FORMAT'],
    write: out,
    now: () => clock.now(),
    component,
    version,
  });
  const writing = (always: Readonly<Record<string, unknown>>): Logger => ({
    debug: (fields, message) => log('debug', message, plain({ ...always, ...fields })),
    info: (fields, message) => log('info', message, plain({ ...always, ...fields })),
    warn: (fields, message) => log('warning', message, plain({ ...always, ...fields })),
    error: (fields, message) => log('error', message, plain({ ...always, ...fields })),
    child: (fields) => writing({ ...always, ...fields }),
  });
  return writing({});
}

/** Errors become their messages; everything else is JSON already. */
function plain(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name === 'err' ? 'error' : name,
      value instanceof Error ? errorMessage(value) : value,
    ]),
  ) as JsonObject;
}
