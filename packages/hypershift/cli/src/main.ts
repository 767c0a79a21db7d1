import { cliError } from './cli-error.ts';
import { buildProgram } from './program.ts';

buildProgram()
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.stderr.write(`${cliError(error)}\n`);
    process.exitCode = 1;
  });
