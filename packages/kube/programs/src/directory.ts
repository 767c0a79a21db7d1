import type { ApiServer } from '@hypershift-ts/kube-apiserver';
import { PresentedCertificates } from './clients/presented-certificates.ts';
import type { EtcdCluster } from './etcd/etcd-cluster.ts';

/** A builtin kube-apiserver that runs in this process. */
export interface LocalApiServer {
  readonly server: ApiServer;
  /** SHA-256 of the serving certificates in use, as TLS peers see them; change with a reload. */
  fingerprints: readonly string[];
  /** PEM bundle client certificates are verified with; changes with a reload. */
  clientCa: string | undefined;
  /** Aborts when it no longer serves. */
  readonly closed: AbortSignal;
}

/** A builtin etcd member of this process. */
export interface LocalEtcdMember {
  readonly cluster: EtcdCluster;
}

/**
 * What runs in this process, so that its parts can meet without sockets. Nothing is found here by a name alone: callers
 * first reach a server over TLS as usual, and only what that proved (a certificate, a member's id) leads to the object.
 */
export class ProcessDirectory {
  private readonly apiServers = new Map<string, Set<LocalApiServer>>();
  private readonly names = new Map<string, Set<string>>();
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly members = new Map<string, LocalEtcdMember>();
  private readonly clusters = new Map<string, EtcdCluster>();

  /** What addresses prove when they are looked at over TLS. */
  readonly certificates = new PresentedCertificates((certificate) => this.apiServersWith(certificate).length > 0);

  /** Grows with every server that comes: who found none may look again. */
  arrivals = 0;

  addApiServer(entry: LocalApiServer): () => void {
    this.arrivals++;
    for (const fingerprint of entry.fingerprints) grouped(this.apiServers, fingerprint).add(entry);
    return () => this.removeApiServer(entry);
  }

  /** Follows new serving certificates. */
  renewApiServer(entry: LocalApiServer, fingerprints: readonly string[]): void {
    // Certificates may be read when the server has stopped meanwhile and taken its entry away for good.
    if (entry.closed.aborted) return;
    this.removeApiServer(entry);
    entry.fingerprints = fingerprints;
    for (const fingerprint of fingerprints) grouped(this.apiServers, fingerprint).add(entry);
  }

  private removeApiServer(entry: LocalApiServer): void {
    for (const fingerprint of entry.fingerprints) ungroup(this.apiServers, fingerprint, entry);
  }

  /** The servers that present this certificate. Replicas share one; they share a store too, so any will do. */
  apiServersWith(fingerprint: string): readonly LocalApiServer[] {
    return [...(this.apiServers.get(fingerprint) ?? [])].filter(({ closed }) => !closed.aborted);
  }

  /** Whether there is any API server here at all. */
  get hasApiServers(): boolean {
    return this.apiServers.size > 0;
  }

  /** Where a name leads that only a cluster's DNS would know (headless Services); still to be proven by TLS. */
  addName(name: string, address: string): () => void {
    grouped(this.names, name).add(address);
    for (const wake of this.waiting.get(name) ?? []) wake();
    return () => ungroup(this.names, name, address);
  }

  /** Resolves when somebody takes this name, or when the signal aborts. */
  whenNamed(name: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        ungroup(this.waiting, name, wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      grouped(this.waiting, name).add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  addressesOf(name: string): readonly string[] {
    return [...(this.names.get(name) ?? [])];
  }

  addMember(id: string, member: LocalEtcdMember): () => void {
    this.members.set(id, member);
    return () => this.members.delete(id);
  }

  memberById(id: string): LocalEtcdMember | undefined {
    return this.members.get(id);
  }

  /** The cluster with this key, made when its first member comes. */
  clusterFor(key: string, make: () => EtcdCluster): EtcdCluster {
    const known = this.clusters.get(key);
    if (known) return known;
    const made = make();
    this.clusters.set(key, made);
    return made;
  }

  forgetCluster(key: string): void {
    this.clusters.delete(key);
  }

  /** How much runs, for tests and status. */
  get size(): { readonly apiServers: number; readonly etcdMembers: number; readonly etcdClusters: number } {
    const apiServers = new Set([...this.apiServers.values()].flatMap((group) => [...group])).size;
    return { apiServers, etcdMembers: this.members.size, etcdClusters: this.clusters.size };
  }
}

function grouped<T>(groups: Map<string, Set<T>>, key: string): Set<T> {
  const known = groups.get(key);
  if (known) return known;
  const made = new Set<T>();
  groups.set(key, made);
  return made;
}

function ungroup<T>(groups: Map<string, Set<T>>, key: string, value: T): void {
  const group = groups.get(key);
  group?.delete(value);
  if (group?.size === 0) groups.delete(key);
}
