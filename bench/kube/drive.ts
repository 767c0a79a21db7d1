import { type ClientHttp2Session, connect } from 'node:http2';

/** A request of a benchmark. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

export interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Driver {
  readonly run: (count: number, concurrency: number, shot: (index: number) => Shot) => Promise<Rate>;
  readonly close: () => void;
}

/** Fires requests over a few HTTP/2 connections, as Go clients do, and measures their answers. */
export function driver(
  server: string,
  tls: { readonly ca: string; readonly cert?: string; readonly key?: string },
  connections = 4,
): Driver {
  const sessions = Array.from({ length: connections }, () => connect(server, tls));
  for (const session of sessions) session.on('error', () => {});
  return {
    async run(count, concurrency, shot) {
      const times: number[] = [];
      let next = 0;
      const worker = async (session: ClientHttp2Session): Promise<void> => {
        while (next < count) {
          const one = shot(next++);
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
