import colors from 'picocolors';

/** How a command ended, for scripts. */
export const exitCodes = { done: 0, failed: 1, usage: 2, timedOut: 3, interrupted: 130 } as const;

interface UserErrorOptions extends ErrorOptions {
  readonly exitCode?: number;
}

/** A failure a user can do something about: what happened, and what to do next. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly fix: string | undefined;
  readonly exitCode: number;

  constructor(message: string, fix?: string, options: UserErrorOptions = {}) {
    super(message, options);
    this.fix = fix;
    this.exitCode = options.exitCode ?? exitCodes.failed;
  }
}

/** Everything known about an error, for logs. */
export function errorDetail(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

/** How a failure looks on the terminal. Stack traces only with HYPERSHIFT_DEBUG=1. */
export function cliError(error: unknown, env: NodeJS.ProcessEnv = process.env): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = [`${colors.red('Error:')} ${message}`];
  if (error instanceof UserError && error.fix) lines.push(`  ${error.fix}`);
  if (env['HYPERSHIFT_DEBUG'] && error instanceof Error && error.stack) lines.push(error.stack);
  return lines.join('\n');
}
