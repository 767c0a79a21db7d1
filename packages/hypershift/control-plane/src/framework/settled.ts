import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from './context.ts';

/** What a look at an object depends on; two objects with equal faces lead to the same decision. */
export type Face = (type: ResourceType<KubeObject>, object: KubeObject) => unknown;

interface Read {
  readonly type: ResourceType<KubeObject>;
  /** Absent: all of them. */
  readonly name: string | undefined;
  seen: readonly (KubeObject | undefined)[];
}

/** What was read of one type. */
interface Reads {
  readonly all: Read[];
  /** How often the type had changed before the first of them, or when all of them were last found the same. */
  changes: number | undefined;
}

type ReadsByType = Map<ResourceType<KubeObject>, Reads>;

interface Memory<T> {
  readonly inputs: string;
  readonly reads: ReadsByType;
  readonly result: T;
  readonly until: number;
}

export interface SettledWork<T> {
  readonly result: T;
  /** Milliseconds since the epoch from which on the answer may be another one although nothing changed. */
  readonly until?: number;
}

/** What work is given: inputs as text, what it may look up, the time in milliseconds. */
export interface Given {
  readonly inputs: string;
  readonly lookup: Lookup;
  readonly now: number;
  readonly face?: Face;
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

  /** What came of work that need not be done again. */
  recall<T>(key: string, { inputs, lookup, now, face = itself }: Given): { readonly result: T } | undefined {
    const memory = this.memories.get(key) as Memory<T> | undefined;
    const holds = memory && memory.inputs === inputs && now < memory.until && isSame(memory.reads, lookup, face);
    return holds ? memory : undefined;
  }

  async once<T>(
    key: string,
    given: Given,
    work: (lookup: Recorder) => Promise<SettledWork<T>>,
  ): Promise<{ readonly result: T; readonly ran: boolean }> {
    const { inputs, lookup } = given;
    const known = this.recall<T>(key, given);
    if (known) return { result: known.result, ran: false };
    this.memories.delete(key);
    const reads: ReadsByType = new Map();
    const { result, until = Number.POSITIVE_INFINITY } = await work(recording(lookup, reads));
    this.memories.set(key, { inputs, reads, result, until });
    return { result, ran: true };
  }

  /** The next time the work runs, whatever it saw. */
  forget(key: string): void {
    this.memories.delete(key);
  }
}

function recording(lookup: Lookup, reads: ReadsByType): Recorder {
  // Most things are looked at several times, and compared as often if they were noted as often.
  const noted = new Set<KubeObject>();
  /** Asked for before the look, so that a change meanwhile counts as one. */
  const readsOf = (type: ResourceType<KubeObject>): Read[] => {
    const known = reads.get(type);
    if (known) return known.all;
    const all: Read[] = [];
    reads.set(type, { all, changes: lookup.changes?.(type) });
    return all;
  };
  const note = (type: ResourceType<KubeObject>, name: string, object: KubeObject | undefined): void => {
    if (object && noted.has(object)) return;
    if (object) noted.add(object);
    readsOf(type).push({ type, name, seen: [object] });
  };
  return {
    peek: (type, name) => {
      readsOf(type);
      return lookup.get(type, name);
    },
    left: note,
    get: (type, name) => {
      readsOf(type);
      const found = lookup.get(type, name);
      note(type, name, found);
      return found;
    },
    list: (type) => {
      const all = readsOf(type);
      const found = lookup.list(type);
      all.push({ type, name: undefined, seen: found });
      return found;
    },
  };
}

function isSame(reads: ReadsByType, lookup: Lookup, face: Face): boolean {
  for (const [type, known] of reads) {
    const changes = lookup.changes?.(type);
    if (changes !== undefined && changes === known.changes) continue;
    if (!known.all.every((read) => isSameRead(read, lookup, face))) return false;
    known.changes = changes;
  }
  return true;
}

function isSameRead(read: Read, lookup: Lookup, face: Face): boolean {
  const { type, name, seen } = read;
  const now = name === undefined ? lookup.list(type) : [lookup.get(type, name)];
  if (now.length !== seen.length || !now.every((object, i) => isSameObject(type, object, seen[i], face))) return false;
  // Versions that said the same need not be kept in memory.
  read.seen = now;
  return true;
}

function isSameObject(
  type: ResourceType<KubeObject>,
  now: KubeObject | undefined,
  before: KubeObject | undefined,
  face: Face,
): boolean {
  if (now === before) return true;
  if (!now || !before) return false;
  const { uid, resourceVersion } = now.metadata;
  // What was written, and the same when an informer brings it.
  if (resourceVersion !== undefined && resourceVersion === before.metadata.resourceVersion)
    return uid === before.metadata.uid;
  return face(type, now) === face(type, before);
}
