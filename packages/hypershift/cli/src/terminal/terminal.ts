import picocolors from 'picocolors';

/** Where a command writes: results to standard output, progress and remarks to standard error. */
export interface Terminal {
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** What is awaited right now: one line that is written over again, where somebody looks; lines below each other elsewhere. */
  readonly progress: (text: string) => void;
  /** Colours of what is printed; plain unless a person looks. */
  readonly colors: typeof picocolors;
  /** Colours of what is noted. */
  readonly noteColors: typeof picocolors;
}

type Stream = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };

const startOfLine = '\r\u001b[2K';
const usualWidth = 80;

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
  const noteColors = colorsFor(err, env);
  let isProgressShown = false;
  const clear = () => {
    if (isProgressShown) err.write(startOfLine);
    isProgressShown = false;
  };
  return {
    print: (text) => {
      clear();
      out.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    note: (text) => {
      clear();
      err.write(`${text}\n`);
    },
    progress: (text) => {
      if (!err.isTTY) return void err.write(`${text}\n`);
      const width = (err.columns ?? usualWidth) - 1;
      err.write(`${startOfLine}${noteColors.dim(text.length > width ? `${text.slice(0, width - 1)}…` : text)}`);
      isProgressShown = true;
    },
    colors: colorsFor(out, env),
    noteColors,
  };
}
