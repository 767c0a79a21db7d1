import { Readable } from 'node:stream';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { RegistryRequest, RegistryResponse, RegistryTransport } from '../registry/transport.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | Iterable<Buffer> | AsyncIterable<Buffer>;
  /** Throws instead of answering. */
  readonly fails?: Error;
}

/** Answers from a function, for registries that misbehave in ways a real one cannot be made to. */
export function fakeTransport(
  answer: (request: RegistryRequest) => Answer,
): RegistryTransport & { readonly seen: RegistryRequest[] } {
  const seen: RegistryRequest[] = [];
  return {
    seen,
    async send(request): Promise<RegistryResponse> {
      seen.push(request);
      const { status = 200, headers = {}, body = '', fails } = answer(request);
      if (fails) throw fails;
      const pieces = typeof body === 'string' || Buffer.isBuffer(body) ? [Buffer.from(body)] : body;
      return { status, header: (name) => headers[name], body: Readable.from(pieces), discard: () => undefined };
    },
    async close() {},
  };
}

/** Short waits pass at once, long ones (deadlines) never. */
export const impatientClock: Clock = {
  now: () => 0,
  after(ms, callback) {
    if (ms > 10_000) return () => undefined;
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  },
};
