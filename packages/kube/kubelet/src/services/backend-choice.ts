import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Backend, ListenerSpec } from './listener-spec.ts';

const maxRemembered = 10_000;

/** Takes the backends of one listener in turn, or keeps a client with its backend when the Service asks for that. */
export class BackendChoice {
  private spec: ListenerSpec;
  private readonly clock: Clock;
  private next = 0;
  private readonly remembered = new Map<string, { readonly backend: Backend; usedMs: number }>();

  constructor(spec: ListenerSpec, clock: Clock) {
    this.spec = spec;
    this.clock = clock;
  }

  update(spec: ListenerSpec): void {
    this.spec = spec;
  }

  /** Backends to try for a client, the best first. */
  candidates(client: string): readonly Backend[] {
    const { backends, affinityMs } = this.spec;
    if (backends.length === 0) return [];
    const first = this.next++ % backends.length;
    const inTurn = [...backends.slice(first), ...backends.slice(0, first)];
    const known = affinityMs === undefined ? undefined : this.remembered.get(client);
    if (!known || this.clock.now() - known.usedMs > (affinityMs ?? 0)) return inTurn;
    const same = backends.find(({ address, port }) => address === known.backend.address && port === known.backend.port);
    return same ? [same, ...inTurn.filter((other) => other !== same)] : inTurn;
  }

  /** A client reached a backend. */
  chosen(client: string, backend: Backend): void {
    if (this.spec.affinityMs === undefined) return;
    this.remembered.delete(client);
    this.remembered.set(client, { backend, usedMs: this.clock.now() });
    if (this.remembered.size > maxRemembered) this.remembered.delete(this.remembered.keys().next().value as string);
  }
}
