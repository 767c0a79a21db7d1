import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { ProxyStrategy } from './backends.ts';

/** PEM contents. With `ca`, clients must show a certificate that it signed. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL names, colon separated; TLS 1.3 has its own. */
  readonly ciphers?: string;
}

export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

export interface ProxyServerOptions {
  /** Names this server towards agents; unique among the servers behind one address. */
  readonly serverID?: string;
  /** How many servers agents must be connected to. */
  readonly serverCount?: number;
  readonly mode?: 'http-connect' | 'grpc';
  /** Where API servers connect: TCP with TLS, or a Unix socket. */
  readonly front: (ListenAddress & { readonly tls: ServerTls }) | { readonly path: string };
  /** Where agents connect; without TLS only on loopback or behind something that encrypts. */
  readonly agents: ListenAddress & { readonly tls?: ServerTls };
  /** Probes; absent when the process answers them elsewhere. */
  readonly health?: ListenAddress;
  /** Metrics. */
  readonly admin?: ListenAddress;
  readonly strategies?: readonly ProxyStrategy[];
  readonly keepaliveMs?: number;
  readonly frontKeepaliveMs?: number;
  /** How long an agent may take to answer a dial; 30 s, 0 for ever. */
  readonly dialTimeoutMs?: number;
  /** How long one connection that takes no bytes may hold up the others of its agent; 30 s. */
  readonly stallTimeoutMs?: number;
  /** Tunneled connections at a time; 10 000. */
  readonly maxConnections?: number;
  /** Agents at a time; 5 000. */
  readonly maxAgents?: number;
  /** Throws when the bearer token of an agent is not good. Agents need no token when absent. */
  readonly authenticateAgent?: (token: string) => Promise<void>;
  readonly clock?: Clock;
  readonly random?: () => number;
}
