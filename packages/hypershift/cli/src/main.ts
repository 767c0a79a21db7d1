import { CommanderError } from 'commander';
import { cliError, exitCodes, UserError } from './cli-error.ts';
import { stayAlive } from './stay-alive.ts';

/** Faults of the command line were explained already by the one who found them. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  process.stderr.write(`${cliError(error)}\n`);
  return error instanceof UserError ? error.exitCode : exitCodes.failed;
}

// Whoever reads may stop early (`| head`); that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.done);
});

/** Containers start many programs; they must not wait until every command for people is loaded. */
async function run(): Promise<unknown> {
  const words = process.argv.slice(2);
  if (process.env['HYPERSHIFT_CONTAINER'] && words.length > 0)
    return (await import('./operator-run/run-program.ts')).runProgram(words);
  return (await import('./program.ts')).buildProgram().parseAsync(process.argv);
}

stayAlive(run).catch((error: unknown) => {
  process.exitCode = exitCodeOf(error);
});
