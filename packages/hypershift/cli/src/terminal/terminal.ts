import picocolors from 'picocolors';

/** Where a command writes: results to standard output, progress and remarks to standard error. */
export interface Terminal {
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** Colours of what is printed; plain unless a person looks. */
  readonly colors: typeof picocolors;
  /** Colours of what is noted. */
  readonly noteColors: typeof picocolors;
}

type Stream = { readonly isTTY?: boolean; write(text: string): unknown };

/** Colours are for people: a terminal, and no NO_COLOR. */
function colorsFor(stream: Stream, env: NodeJS.ProcessEnv): typeof picocolors {
  return picocolors.createColors(
    stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  ) as typeof picocolors;
}

export function terminalOf(
  out: Stream = process.stdout,
  err: Stream = process.stderr,
  env: NodeJS.ProcessEnv = process.env,
): Terminal {
  return {
    print: (text) => void out.write(text.endsWith('\n') ? text : `${text}\n`),
    note: (text) => void err.write(`${text}\n`),
    colors: colorsFor(out, env),
    noteColors: colorsFor(err, env),
  };
}
