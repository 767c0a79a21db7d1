import { setMaxListeners } from 'node:events';
import type { ApiServerOptions } from './options.ts';

export interface Address {
  readonly address: string;
  readonly port: number;
}

/** Where one server is in its life: not yet listening, ready, or closing. */
export class ServerState {
  ready = false;
  listening: Address | undefined;
  private inside = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly closing = new AbortController();
  private readonly advertise: ApiServerOptions['advertise'];

  constructor(advertise: ApiServerOptions['advertise']) {
    this.advertise = advertise;
    // Every in-process watch listens to it; there is no sensible number of those to warn at.
    setMaxListeners(0, this.closing.signal);
  }

  get closed(): AbortSignal {
    return this.closing.signal;
  }

  close(): void {
    this.ready = false;
    this.closing.abort();
  }

  /** Counts a request that came without a socket; returns how to say that it is over. */
  enter(): () => void {
    this.inside++;
    return () => {
      this.inside--;
      if (this.inside === 0) for (const resolve of this.waiting.splice(0)) resolve();
    };
  }

  /** Resolves when no request is under way inside the process. */
  quiet(): Promise<void> {
    if (this.inside === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Where clients inside the cluster find this server. */
  advertised(): Address | undefined {
    if (!this.listening) return undefined;
    const { address = this.listening.address, port = this.listening.port } = this.advertise ?? {};
    return { address, port };
  }
}
