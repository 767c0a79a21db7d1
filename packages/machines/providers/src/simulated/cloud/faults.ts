import type { InstanceRequest } from './instance.ts';

/** What can go wrong when instances are made, for whoever wants to see it. */
export interface Fault {
  /** `capacity`: the cloud has no machine of that type; `boot`: the machine never reaches Ignition. */
  readonly kind: 'capacity' | 'boot';
  /** Only instances whose name begins so. */
  readonly namePrefix?: string;
  readonly zone?: string;
  readonly instanceType?: string;
  /** How many instances it meets; all when absent. */
  readonly times?: number;
}

/** The injected faults of a cloud. */
export class Faults {
  private active: { readonly fault: Fault; left: number }[] = [];

  /** Begins a fault; the returned function ends it. */
  inject(fault: Fault): () => void {
    const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.active.push(entry);
    return () => {
      this.active = this.active.filter((other) => other !== entry);
    };
  }

  /** True when a fault of that kind meets the request; uses it up. */
  meets(kind: Fault['kind'], request: InstanceRequest): boolean {
    const entry = this.active.find(({ fault }) => fault.kind === kind && fits(fault, request));
    if (!entry) return false;
    entry.left--;
    if (entry.left <= 0) this.active = this.active.filter((other) => other !== entry);
    return true;
  }
}

function fits({ namePrefix, zone, instanceType }: Fault, request: InstanceRequest): boolean {
  return (
    request.name.startsWith(namePrefix ?? '') &&
    (zone === undefined || zone === request.zone) &&
    (instanceType === undefined || instanceType === request.instanceType)
  );
}
