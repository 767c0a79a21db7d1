import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Client, ClusterConfig } from '@hypershift-ts/kube-client';
import {
  type LocalApiServer,
  NearestClient,
  NearestServer,
  type ProcessDirectory,
  rememberedCertificates,
} from '@hypershift-ts/kube-programs';
import { type ClusterConnections, reachable } from './hosted-clusters.ts';
import { ForwardingClient } from './late-client.ts';
import type { Resolve } from './names.ts';

export interface ProcessConnectionsOptions {
  readonly directory: ProcessDirectory;
  readonly clock: Clock;
  readonly resolve?: Resolve;
}

/**
 * Straight calls for clusters whose API server runs in this process, HTTPS for all others. One TLS handshake tells for
 * every machine of a cluster which server an address leads to; each machine's own certificate is verified as ever.
 */
export function processConnections(options: ProcessConnectionsOptions): ClusterConnections {
  const { directory, clock, resolve } = options;
  const near = (config: ClusterConfig) => (resolve ? reachable(config, resolve) : config);
  const presented = rememberedCertificates(clock, (certificate) => directory.apiServersWith(certificate).length > 0);
  return {
    connect(config, userAgent) {
      const server = new NearestServer({ config: async () => near(await config()), directory, clock, presented });
      return new NearestClient({ server, clock, userAgent });
    },
    async reader(config) {
      const find = async () => directory.apiServersWith(await presented(near(config)))[0];
      // A server that does not answer now may be of this process all the same: better to ask again than to do without.
      const first = await find();
      return first && new ReaderClient(first, find);
    },
  };
}

/** Reads a server of this process, and its successor after a restart. */
class ReaderClient extends ForwardingClient {
  private readonly find: () => Promise<LocalApiServer | undefined>;
  private entry: LocalApiServer | undefined;
  private client: Client | undefined;

  constructor(first: LocalApiServer, find: () => Promise<LocalApiServer | undefined>) {
    super();
    this.entry = first;
    this.find = find;
  }

  async close(): Promise<void> {}

  protected async target(): Promise<Client> {
    if (!this.entry || this.entry.closed.aborted) {
      this.entry = await this.find();
      this.client = undefined;
    }
    if (!this.entry) throw new Error('the API server of the hosted cluster does not run in this process now');
    this.client ??= this.entry.server.client(undefined, 'simulated-cloud');
    return this.client;
  }
}
