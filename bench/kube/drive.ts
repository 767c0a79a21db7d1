import { type ClientHttp2Session, connect } from 'node:http2';

/** A request of a benchmark; `{i}` in its texts is its number, `{m}` that number modulo `modulo`. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly modulo?: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** What a client connects with. */
export interface ClientTls {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface Volley {
  readonly count: number;
  readonly concurrency: number;
  readonly shot: Shot;
}

export interface Driver {
  readonly run: (volley: Volley) => Promise<Rate>;
  readonly close: () => void;
}

/** Fires requests over a few HTTP/2 connections, as Go clients do, and measures their answers. */
export function driver(server: string, tls: ClientTls, connections = 4): Driver {
  const sessions = Array.from({ length: connections }, () => connect(server, tls));
  for (const session of sessions) session.on('error', () => {});
  return {
    async run({ count, concurrency, shot }) {
      const times: number[] = [];
      let next = 0;
      const worker = async (session: ClientHttp2Session): Promise<void> => {
        while (next < count) {
          const one = numbered(shot, next++);
          const began = performance.now();
          await fire(session, one);
          times.push(performance.now() - began);
        }
      };
      const began = performance.now();
      await Promise.all(Array.from({ length: concurrency }, (_, index) => worker(sessions[index % sessions.length]!)));
      const seconds = (performance.now() - began) / 1000;
      times.sort((a, b) => a - b);
      return { perSecond: count / seconds, p50: times[Math.floor(count / 2)]!, p99: times[Math.floor(count * 0.99)]! };
    },
    close: () => sessions.forEach((session) => session.destroy()),
  };
}

function numbered(shot: Shot, index: number): Shot {
  const fill = (text: string) =>
    text.replace('{i}', String(index)).replace('{m}', String(index % (shot.modulo ?? index + 1)));
  return { ...shot, path: fill(shot.path), ...(shot.body === undefined ? {} : { body: fill(shot.body) }) };
}

function fire(
  session: ClientHttp2Session,
  { method, path, body, contentType = 'application/json' }: Shot,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      ...(body ? { 'content-type': contentType } : {}),
    });
    let status = 0;
    let text = '';
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.on('data', (chunk: Buffer) => {
      if (status >= 400) text += chunk.toString();
    });
    stream.on('end', () => (status < 400 ? resolve() : reject(new Error(`${method} ${path}: ${status} ${text}`))));
    stream.on('error', reject);
    stream.end(body);
  });
}
