import { exitCodes, UserError } from './cli-error.ts';

/** Aborts on the first Ctrl-C, so that a command can tidy up; the second one ends the process at once. */
export function interrupted(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort(
      new UserError('interrupted', 'What was asked for goes on in the management cluster.', {
        exitCode: exitCodes.interrupted,
      }),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
