import {
  fingerprint,
  isKeyPair,
  nodeCertificate,
  parseCertificates,
  readPrivateKey,
  trustPoolFromPem,
  verifyCertificate,
} from '@hypershift-ts/kube-pki';
import type { ClientTls } from '../agent/agent-call.ts';
import type { ProxyServer } from '../server/proxy-server.ts';
import type { ServerTls } from '../server/proxy-server-options.ts';

interface Entry {
  readonly server: ProxyServer;
  readonly clientCa: string | undefined;
  /** Until when a certificate with its key is believed, so that thousands of agents with the same one are quick. */
  readonly believed: Map<string, number>;
}

const mostBelieved = 64;

/**
 * Konnectivity servers of this process, which agents of this process reach without sockets. As with API servers, an
 * agent first looks over TLS which certificate an address presents, and only that leads here.
 */
export class LocalProxyServers {
  readonly #entries = new Map<string, Set<Entry>>();
  readonly #waiting = new Map<string, Set<() => void>>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Returns how to take it away again. */
  add(server: ProxyServer, tls: ServerTls): () => void {
    const [leaf] = parseCertificates(tls.cert);
    if (!leaf) return () => {};
    const key = fingerprint(leaf.der);
    const entry = { server, clientCa: tls.ca, believed: new Map() };
    const group = this.#entries.get(key) ?? new Set();
    this.#entries.set(key, group.add(entry));
    for (const wake of this.#waiting.get(tls.ca?.trim() ?? '') ?? []) wake();
    return () => {
      group.delete(entry);
      if (group.size === 0) this.#entries.delete(key);
    };
  }

  /** Calls back when a server comes that knows its agents by this authority, until what is returned is called. */
  whenAdded(authority: string, wake: () => void): () => void {
    const key = authority.trim();
    const group = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, group.add(wake));
    return () => {
      group.delete(wake);
      if (group.size === 0 && this.#waiting.get(key) === group) this.#waiting.delete(key);
    };
  }

  has(certificate: string): boolean {
    return this.#entries.has(certificate);
  }

  /** The servers with this certificate that would let a client with these credentials in. */
  accepting(certificate: string, client: ClientTls, now: number): readonly ProxyServer[] {
    const group = [...(this.#entries.get(certificate) ?? [])];
    return group.filter((entry) => isAccepted(entry, client, now)).map(({ server }) => server);
  }
}

function isAccepted({ clientCa, believed }: Entry, { cert, key }: ClientTls, now: number): boolean {
  if (clientCa === undefined) return true;
  if (cert === undefined || key === undefined) return false;
  const credentials = `${cert}\n${key}`;
  const known = believed.get(credentials);
  if (known !== undefined && now <= known) return true;
  const until = believedUntil(clientCa, cert, key, now);
  if (until === undefined) return false;
  if (believed.size >= mostBelieved) believed.clear();
  believed.set(credentials, until);
  return true;
}

/** When the certificate's chain ends; undefined for one that the server would refuse. */
function believedUntil(clientCa: string, cert: string, key: string, now: number): number | undefined {
  const [leaf, ...intermediates] = parseCertificates(cert);
  if (!leaf || !isKeyPair(nodeCertificate(leaf).publicKey, readPrivateKey(key))) return undefined;
  const roots = trustPoolFromPem(clientCa);
  const result = verifyCertificate(leaf, { roots, intermediates, now, usage: 'clientAuth' });
  return result.ok ? Math.min(...result.chain.map(({ notAfter }) => notAfter)) : undefined;
}
