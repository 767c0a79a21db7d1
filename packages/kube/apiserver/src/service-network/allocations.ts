import { randomInt } from 'node:crypto';
import { addressAt, cidrSize, formatIP, indexOfAddress, parseCIDR, parseIP } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import { encodeStored } from '../storage/codec.ts';
import { storageKey, storagePrefix } from '../storage/keys.ts';

/**
 * Claims on cluster IPs and node ports. A claim is a key in the store that only one writer can create, so
 * several API servers over one store never hand out the same address. IP claims are IPAddress objects, as
 * upstream's are; ports have no kind, so their claims are plain records.
 */
export interface Allocator {
  /** Claims this very value for the owner; false when somebody else has it. */
  claim(value: string, owner: ClaimOwner): Promise<boolean>;
  /** Claims any free value. */
  claimAny(owner: ClaimOwner): Promise<string | undefined>;
  release(value: string): Promise<void>;
  contains(value: string): boolean;
}

export interface ClaimOwner {
  readonly namespace: string;
  readonly name: string;
  readonly now: string;
  readonly newUid: () => string;
}

/** How many random values are tried before the range is walked. */
const randomAttempts = 32;

/** Larger ranges are used up to this many addresses. */
const largestRange = 1n << 20n;

function allocator(
  store: Store,
  size: number,
  valueAt: (index: number) => string,
  contains: (value: string) => boolean,
  keyOf: (value: string) => string,
  recordOf: (value: string, owner: ClaimOwner) => string,
): Allocator {
  const claim = async (value: string, owner: ClaimOwner): Promise<boolean> =>
    (await store.commit({ op: 'put', key: keyOf(value), value: recordOf(value, owner), expect: 0 })).ok;
  return {
    claim,
    contains,
    async claimAny(owner) {
      for (let i = 0; i < Math.min(randomAttempts, size); i++) {
        const value = valueAt(randomInt(size));
        if (await claim(value, owner)) return value;
      }
      for (let i = 0; i < size; i++) if (await claim(valueAt(i), owner)) return valueAt(i);
      return undefined;
    },
    async release(value) {
      await store.commit({ op: 'delete', key: keyOf(value) });
    },
  };
}

/** Cluster IPs of an IPv4 range such as 10.96.0.0/16; network, first (the API server's) and broadcast addresses are kept out of claimAny. */
export function ipAllocator(store: Store, cidr: string): Allocator {
  const range = parseCIDR(cidr);
  if (!range) throw new Error(`${JSON.stringify(cidr)} is not a range of addresses for services`);
  const size = cidrSize(range);
  const count = size < largestRange ? size : largestRange;
  const prefix = storagePrefix('networking.k8s.io', 'ipaddresses');
  return allocator(
    store,
    Number(count) - 3,
    (index) => formatIP(addressAt(range, BigInt(index + 2))!),
    (value) => {
      const address = parseIP(value);
      const index = address && indexOfAddress(range, address);
      return index !== undefined && index < count;
    },
    (value) => storageKey(prefix, undefined, value),
    (value, owner) =>
      encodeStored({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IPAddress',
        metadata: {
          name: value,
          uid: owner.newUid(),
          creationTimestamp: owner.now,
          labels: {
            'ipaddress.kubernetes.io/ip-family': 'IPv4',
            'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
          },
        },
        spec: { parentRef: { group: '', resource: 'services', namespace: owner.namespace, name: owner.name } },
      }),
  );
}

/** Node ports of a range such as 30000-32767. */
export function portAllocator(store: Store, from: number, to: number): Allocator {
  return allocator(
    store,
    to - from + 1,
    (index) => String(from + index),
    (value) => Number(value) >= from && Number(value) <= to,
    (value) => `/registry/node-ports/${value}`,
    (_, owner) => JSON.stringify({ namespace: owner.namespace, name: owner.name }),
  );
}
