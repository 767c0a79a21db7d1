/** What of a log is wanted; the fields of PodLogOptions. */
export interface LogQuery {
  readonly follow?: boolean;
  readonly tailLines?: number;
  /** Only lines from this moment on, in milliseconds since the epoch. */
  readonly sinceMs?: number;
  readonly timestamps?: boolean;
  readonly limitBytes?: number;
}

/** The log of one run of a container. */
export interface LogSource {
  read(query: LogQuery, signal: AbortSignal): AsyncIterable<Buffer>;
}

/** A log that exists in words only; simulated containers have one. */
export function textLog(lines: readonly { readonly time: string; readonly text: string }[]): LogSource {
  return {
    async *read({ tailLines, timestamps, limitBytes }) {
      const chosen = tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines));
      const text = chosen.map((line) => `${timestamps ? `${line.time} ` : ''}${line.text}\n`).join('');
      yield Buffer.from(text).subarray(0, limitBytes ?? Number.POSITIVE_INFINITY);
    },
  };
}
