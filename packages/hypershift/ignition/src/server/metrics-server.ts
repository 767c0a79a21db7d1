import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface MetricsServerOptions {
  readonly registry: Registry;
  readonly host?: string;
  /** 8080 when absent; 0: a free port. */
  readonly port?: number;
}

/** Plain HTTP for Prometheus: `/metrics` and `/healthz`. */
export class MetricsServer {
  private readonly options: MetricsServerOptions;
  private readonly server: Server;

  constructor(options: MetricsServerOptions) {
    this.options = options;
    this.server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
      const path = (request.url ?? '').split('?')[0];
      if (path === '/healthz') return void response.writeHead(200).end();
      if (path !== '/metrics') return void response.writeHead(404).end();
      void options.registry.metrics().then(
        (text) => response.writeHead(200, { 'Content-Type': options.registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port ?? 8080, this.options.host ?? '0.0.0.0', () =>
        resolve((this.server.address() as AddressInfo).port),
      );
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
