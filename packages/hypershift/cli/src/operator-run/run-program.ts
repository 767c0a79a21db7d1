import { ownProgram } from '@hypershift-ts/hypershift-embedded';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { processContext } from '@hypershift-ts/kube-kubelet';
import { cliError, exitCodes, UserError } from '../cli-error.ts';

/** Aborts on the first SIGTERM or SIGINT; the second one ends the process at once. */
function untilAsked(): AbortSignal {
  const stopper = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (stopper.signal.aborted) process.exit(exitCodes.interrupted);
    stopper.abort(new DOMException(`received ${name}`, 'AbortError'));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return stopper.signal;
}

const environment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));

/**
 * Runs a program of the product as this process until it ends or is asked to stop, and ends the process with its exit
 * code: what programs hold open must not keep a process alive that has nothing to do any more.
 */
export async function runProgram(
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<never> {
  const flags = words.findIndex((word) => word.startsWith('-'));
  const end = flags < 0 ? words.length : flags;
  const [first = ''] = words;
  const context = processContext({
    // The operator is a command of the product itself, all others are programs of their own.
    command: [...(first === 'operator' ? ['hypershift'] : []), ...words.slice(0, end)],
    args: words.slice(end),
    env: { ...environment(process.env), ...more },
    stdout: process.stdout,
    stderr: process.stderr,
    signal: untilAsked(),
    clock: systemClock,
  });
  // Nothing else may keep the process alive while its program waits.
  const keepAlive = setInterval(() => {}, 0x7fffffff);
  try {
    const program = ownProgram(context);
    if (!program) throw new UserError(`there is no program ${JSON.stringify(first)}`, 'See hypershift --help.');
    return process.exit((await program(context)) ?? exitCodes.done);
  } catch (error) {
    if (context.signal.aborted && (error as Error)?.name === 'AbortError') return process.exit(exitCodes.done);
    console.error(cliError(error));
    return process.exit(exitCodes.failed);
  } finally {
    clearInterval(keepAlive);
  }
}
