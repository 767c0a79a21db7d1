import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from './context.ts';

/** What a look at an object depends on; two objects with equal faces lead to the same decision. */
export type Face = (type: ResourceType<KubeObject>, object: KubeObject) => unknown;

interface Read {
  readonly type: ResourceType<KubeObject>;
  /** Absent: all of them. */
  readonly name: string | undefined;
  readonly face: unknown;
}

interface Memory<T> {
  readonly inputs: string;
  readonly reads: readonly Read[];
  readonly result: T;
  readonly until: number;
}

export interface SettledWork<T> {
  readonly result: T;
  /** Milliseconds since the epoch from which on the answer may be another one although nothing changed. */
  readonly until?: number;
}

/** Objects in caches are frozen: the same object says the same. */
const itself: Face = (_, object) => object;

/** What work looks things up with, so that it is known what it depends on. */
export interface Recorder extends Lookup {
  /** Reads what the work keeps right by itself, and of which it says afterwards how it left it. */
  peek<T extends KubeObject>(type: ResourceType<T>, name: string): T | undefined;
  /** The state from which on nothing is to be done about this object. */
  left(type: ResourceType<KubeObject>, name: string, object: KubeObject | undefined): void;
}

/**
 * Remembers work whose outcome follows from some inputs and from what it looked up, and leaves it out while those are
 * the same. Work that changed something it had looked up runs once more, unless it said how it left it.
 */
export class Settled {
  private readonly memories = new Map<string, Memory<unknown>>();

  async once<T>(
    key: string,
    given: { readonly inputs: string; readonly lookup: Lookup; readonly now: number; readonly face?: Face },
    work: (lookup: Recorder) => Promise<SettledWork<T>>,
  ): Promise<{ readonly result: T; readonly ran: boolean }> {
    const { inputs, lookup, now, face = itself } = given;
    const memory = this.memories.get(key) as Memory<T> | undefined;
    if (memory && memory.inputs === inputs && now < memory.until && isSame(memory.reads, lookup, face)) {
      return { result: memory.result, ran: false };
    }
    this.memories.delete(key);
    const reads: Read[] = [];
    const { result, until = Number.POSITIVE_INFINITY } = await work(recording(lookup, reads, face));
    this.memories.set(key, { inputs, reads, result, until });
    return { result, ran: true };
  }

  /** The next time the work runs, whatever it saw. */
  forget(key: string): void {
    this.memories.delete(key);
  }
}

function recording(lookup: Lookup, reads: Read[], face: Face): Recorder {
  return {
    peek: (type, name) => lookup.get(type, name),
    left: (type, name, object) => void reads.push({ type, name, face: object && face(type, object) }),
    get: (type, name) => {
      const found = lookup.get(type, name);
      reads.push({ type, name, face: found && face(type, found) });
      return found;
    },
    list: (type) => {
      const found = lookup.list(type);
      reads.push({ type, name: undefined, face: found.map((object) => face(type, object)) });
      return found;
    },
  };
}

function isSame(reads: readonly Read[], lookup: Lookup, face: Face): boolean {
  return reads.every(({ type, name, face: before }) => {
    if (name !== undefined) {
      const found = lookup.get(type, name);
      return isSameFace(found && face(type, found), before);
    }
    const now = lookup.list(type);
    const then = before as readonly unknown[];
    return now.length === then.length && now.every((object, i) => isSameFace(face(type, object), then[i]));
  });
}

/** An object that was written and the same object when an informer brings it are the same version of one thing. */
function isSameFace(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [a, b].map((face) => (face as KubeObject | undefined)?.metadata);
  return one?.resourceVersion !== undefined && one.resourceVersion === other?.resourceVersion && one.uid === other.uid;
}
