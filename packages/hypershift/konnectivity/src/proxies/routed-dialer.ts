import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Dialer } from '../dialer/konnectivity-dialer.ts';

export interface RoutedDialerOptions {
  /** Into the hosted cluster. */
  readonly tunnel: Dialer;
  /** Destinations that are dialed from here, not through the tunnel; `--connect-directly-to-cloud-apis` decides so. */
  readonly isDirect?: (host: string) => boolean;
  /** The address of a name in the hosted cluster or here; undefined leaves the name to the far side. */
  readonly resolve?: (host: string) => Promise<string | undefined>;
}

/** What the proxies beside control plane components dial with: names resolved first, cloud APIs reached directly. */
export function routedDialer({ tunnel, isDirect, resolve }: RoutedDialerOptions): Dialer {
  return async (host, port, signal) => {
    if (isDirect?.(host)) return direct(host, port, signal);
    const address = await resolve?.(host);
    return tunnel(address ?? host, port, signal);
  };
}

const directTimeoutMs = 30_000;

function direct(host: string, port: number, signal: AbortSignal | undefined): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true, ...(signal ? { signal } : {}) });
    socket.setTimeout(directTimeoutMs, () => socket.destroy(new Error(`dial tcp ${host}:${port}: i/o timeout`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
