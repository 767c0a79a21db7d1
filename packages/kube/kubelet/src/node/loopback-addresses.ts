import { addressAt, cidrSize, formatIP, parseCIDR } from '@hypershift-ts/kube-apimachinery';

/** Where pods live unless a node is given a range of its own: far from 127.0.0.1 and from Service ranges. */
export const defaultPodCidr = '127.128.0.0/10';
export const defaultLoadBalancerCidr = '127.200.0.0/16';

/** Hands out loopback addresses, each to one holder at a time. */
export class LoopbackAddresses {
  private readonly cidr: NonNullable<ReturnType<typeof parseCIDR>>;
  private readonly size: bigint;
  private readonly taken = new Set<string>();
  private next: bigint;

  /** Starts somewhere in the range, so that two processes on one machine seldom meet. */
  constructor(cidr: string, random: () => number = Math.random) {
    const parsed = parseCIDR(cidr);
    if (!parsed) throw new Error(`"${cidr}" is not a range of addresses`);
    this.cidr = parsed;
    this.size = cidrSize(parsed);
    if (this.size < 4n) throw new Error(`the range ${cidr} is too small`);
    this.next = BigInt(Math.floor(random() * Number(this.size)));
  }

  allocate(): string {
    for (let tries = 0n; tries < this.size; tries++) {
      this.next = (this.next + 1n) % this.size;
      // The first and last address of a range have a meaning of their own.
      if (this.next === 0n || this.next === this.size - 1n) continue;
      const address = addressAt(this.cidr, this.next);
      const text = address && formatIP(address);
      if (text && this.reserve(text)) return text;
    }
    throw new Error('no free loopback address is left for another pod');
  }

  /** Takes a certain address; false when somebody has it. */
  reserve(address: string): boolean {
    if (this.taken.has(address)) return false;
    this.taken.add(address);
    return true;
  }

  release(address: string): void {
    this.taken.delete(address);
  }
}

const pools = new Map<string, LoopbackAddresses>();

/** The pool of a range, shared by every node of this process. */
export function sharedAddresses(cidr: string): LoopbackAddresses {
  const known = pools.get(cidr);
  if (known) return known;
  const made = new LoopbackAddresses(cidr);
  pools.set(cidr, made);
  return made;
}
