import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { storedLog } from '../logs/log-reader.ts';
import type { LogQuery, LogSource } from '../logs/log-source.ts';
import { logFile } from '../pod/pod-directories.ts';
import type { PodWorker } from '../pod/pod-worker.ts';
import type { PodWorkers } from '../pod/pod-workers.ts';

/** A log that cannot be shown, in the words kubelet uses. */
class NoLog extends Error {}

/** Answers `/containerLogs/<namespace>/<pod>/<container>`. */
export async function handleLogs(
  workers: PodWorkers,
  [namespace = '', name = '', container = '']: readonly string[],
  query: URLSearchParams,
  response: ServerResponse,
  clock: Clock,
  closing: AbortSignal,
): Promise<void> {
  let source: LogSource;
  let wanted: LogQuery;
  try {
    const worker = workers.find(namespace, name);
    if (!worker) throw new NoLog(`pod "${name}" is not on this node`);
    source = logOf(worker, container, query.get('previous') === 'true');
    wanted = parseLogQuery(query, clock.now());
  } catch (error) {
    if (!(error instanceof NoLog)) throw error;
    response.writeHead(400, { 'content-type': 'text/plain' });
    response.end(error.message);
    return;
  }
  const left = new AbortController();
  response.once('close', () => left.abort());
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
  const signal = AbortSignal.any([left.signal, closing]);
  await pipeline(Readable.from(source.read(wanted, signal), { objectMode: false }), response).catch(
    (error: unknown) => {
      // A reader who leaves is no fault.
      if (!signal.aborted) throw error;
    },
  );
}

function logOf(worker: PodWorker, container: string, previous: boolean): LogSource {
  const unit = worker.unit(container);
  const pod = worker.pod.metadata.name;
  if (!unit) throw new NoLog(`container "${container}" is not part of pod "${pod}"`);
  const { phase, last, restartCount } = unit;
  const stored = (attempt: number) => storedLog(logFile(worker.dataDir, worker.pod, container, attempt));
  if (previous) {
    if (restartCount === 0 && !(phase.kind === 'waiting' && last))
      throw new NoLog(`previous terminated container "${container}" in pod "${pod}" not found`);
    // While it waits for its next start, the run that ended is still the latest.
    return (
      (phase.kind === 'waiting' ? unit.log : unit.previousLog) ??
      stored(phase.kind === 'waiting' ? restartCount : restartCount - 1)
    );
  }
  if (phase.kind === 'waiting' && !last)
    throw new NoLog(`container "${container}" in pod "${pod}" is waiting to start: ${phase.reason}`);
  return unit.log ?? stored(restartCount);
}

/** Reads PodLogOptions as the API server passes them on. */
function parseLogQuery(query: URLSearchParams, nowMs: number): LogQuery {
  const tailLines = numberIn(query, 'tailLines', 0);
  const limitBytes = numberIn(query, 'limitBytes', 1);
  const sinceSeconds = numberIn(query, 'sinceSeconds', 1);
  const sinceTime = query.get('sinceTime');
  const sinceMs =
    sinceSeconds !== undefined ? nowMs - sinceSeconds * 1000 : sinceTime ? Date.parse(sinceTime) : undefined;
  if (Number.isNaN(sinceMs)) throw new NoLog(`sinceTime "${sinceTime}" is not a time`);
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
  };
}

function numberIn(query: URLSearchParams, name: string, least: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new NoLog(`${name} must be a whole number of at least ${least}`);
  return value;
}
