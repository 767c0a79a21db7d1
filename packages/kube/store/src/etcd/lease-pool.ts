import { randomBytes } from 'node:crypto';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { EtcdConnection } from './connection.ts';

interface Lease {
  readonly id: number;
  readonly endMs: number;
  keys: number;
}

/** A lease ends all its keys in one revision, so it must not gather too many. */
const mostKeys = 1000;

/** Leases for keys with a time to live, shared by keys that are written soon after each other, as the API server does. */
export class LeasePool {
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #leases = new Map<number, Lease>();

  constructor(connection: EtcdConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** A lease that lasts at least so long from now, and little longer: a twentieth, at most a minute. */
  async leaseFor(ttlSeconds: number): Promise<number> {
    const needed = this.#clock.now() + ttlSeconds * 1000;
    const known = this.#leases.get(ttlSeconds);
    if (known && known.endMs >= needed && known.keys < mostKeys) {
      known.keys++;
      return known.id;
    }
    const spare = Math.min(60, Math.floor(ttlSeconds / 20));
    // Ours to choose, and small enough for a JavaScript number.
    const id = randomBytes(6).readUIntBE(0, 6) + 1;
    await this.#connection.write('Lease', 'LeaseGrant', { TTL: Math.ceil(ttlSeconds) + spare, ID: id });
    this.#leases.set(ttlSeconds, { id, endMs: needed + spare * 1000, keys: 1 });
    return id;
  }
}
