import type { AgentIdentifiers } from '../wire/identifiers.ts';
import type { PacketStream } from '../wire/packet-stream.ts';
import type { TunnelConnection } from '../wire/tunnel-connection.ts';

/** One connected agent. The same agent may be connected twice while an old connection dies. */
export interface Backend {
  readonly agentID: string;
  readonly identifiers: AgentIdentifiers;
  readonly stream: PacketStream;
  readonly connections: Map<number, TunnelConnection>;
  draining: boolean;
}

export const proxyStrategies = ['default', 'destHost', 'defaultRoute'] as const;
export type ProxyStrategy = (typeof proxyStrategies)[number];

/** The connected agents, and which of them a destination goes to. */
export class Backends {
  readonly #strategies: readonly ProxyStrategy[];
  readonly #random: () => number;
  readonly #all = new Set<Backend>();
  readonly #byHost = new Map<string, Set<Backend>>();
  readonly #defaultRoute = new Set<Backend>();

  constructor(strategies: readonly ProxyStrategy[], random: () => number) {
    if (strategies.length === 0) throw new Error('konnectivity: at least one proxy strategy is needed');
    this.#strategies = strategies;
    this.#random = random;
  }

  [Symbol.iterator](): IterableIterator<Backend> {
    return this.#all.values();
  }

  get size(): number {
    return this.#all.size;
  }

  add(backend: Backend): void {
    this.#all.add(backend);
    if (backend.identifiers.defaultRoute) this.#defaultRoute.add(backend);
    for (const host of backend.identifiers.hosts) {
      const there = this.#byHost.get(host);
      if (there) there.add(backend);
      else this.#byHost.set(host, new Set([backend]));
    }
  }

  remove(backend: Backend): void {
    this.#all.delete(backend);
    this.#defaultRoute.delete(backend);
    for (const host of backend.identifiers.hosts) {
      const there = this.#byHost.get(host);
      there?.delete(backend);
      if (there?.size === 0) this.#byHost.delete(host);
    }
  }

  /** Strategies are asked in order; the first that knows an agent decides. */
  pick(host: string): Backend | undefined {
    for (const strategy of this.#strategies) {
      const found = this.#oneOf(this.#candidates(strategy, host));
      if (found) return found;
    }
    return undefined;
  }

  /** How many agents each strategy could use. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#strategies.map((strategy) => [strategy, this.#sizeFor(strategy)]));
  }

  /** Ready when the first strategy could send something somewhere; upstream asks no more. */
  get ready(): boolean {
    const [first] = this.#strategies;
    return first !== undefined && this.#sizeFor(first) > 0;
  }

  #sizeFor(strategy: ProxyStrategy): number {
    if (strategy === 'destHost') return this.#byHost.size;
    return strategy === 'defaultRoute' ? this.#defaultRoute.size : this.#all.size;
  }

  #candidates(strategy: ProxyStrategy, host: string): ReadonlySet<Backend> | undefined {
    if (strategy === 'destHost') return this.#byHost.get(host);
    return strategy === 'defaultRoute' ? this.#defaultRoute : this.#all;
  }

  /** At random; one that is about to leave only when there is no other. */
  #oneOf(candidates: ReadonlySet<Backend> | undefined): Backend | undefined {
    if (!candidates || candidates.size === 0) return undefined;
    const all = [...candidates];
    const staying = all.filter((backend) => !backend.draining);
    const from = staying.length > 0 ? staying : all;
    return from[Math.floor(this.#random() * from.length)];
  }
}
