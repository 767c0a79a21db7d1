import colors from 'picocolors';

/** A failure a user can do something about: what happened, and what to do next. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly fix: string | undefined;

  constructor(message: string, fix?: string, options?: ErrorOptions) {
    super(message, options);
    this.fix = fix;
  }
}

/** How a failure looks on the terminal. Stack traces only with HYPERSHIFT_DEBUG=1. */
export function cliError(error: unknown, env: NodeJS.ProcessEnv = process.env): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = [`${colors.red('Error:')} ${message}`];
  if (error instanceof UserError && error.fix) lines.push(`  ${error.fix}`);
  if (env['HYPERSHIFT_DEBUG'] && error instanceof Error && error.stack) lines.push(error.stack);
  return lines.join('\n');
}
