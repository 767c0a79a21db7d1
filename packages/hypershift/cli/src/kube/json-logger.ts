import type { Logger } from '@hypershift-ts/kube-controller';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** One JSON line per message on standard error; errors are reduced to their message and stack. */
export function jsonLogger(
  fields: Record<string, unknown> = {},
  write: (line: string) => void = (line) => console.error(line),
): Logger {
  const log =
    (level: Level) =>
    (more: object, msg: string): void =>
      write(JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields, ...more }, plainErrors));
  return {
    // Debug messages tell about single reconciles; they are for tests that ask for them.
    debug: () => {},
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (more) => jsonLogger({ ...fields, ...more }, write),
  };
}

function plainErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? { message: value.message, stack: value.stack } : value;
}
