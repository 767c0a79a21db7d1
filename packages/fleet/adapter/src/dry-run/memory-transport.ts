import type { Clock, JsonValue, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { formatTime, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { newestOf } from '../transport/generation.ts';
import type { ApplyOutcome, ApplyRequest, DeleteRequest, DiscoveryQuery, Transport } from '../transport/transport.ts';

/** Something that was asked of the transport. */
export interface RecordedOperation {
  readonly operation: 'apply' | 'get' | 'discover' | 'delete';
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly result?: string;
}

/** Objects that are taken for existing, by name. */
export type DiscoveryOverrides = ReadonlyMap<string, UnstructuredObject>;

/** Reads `{name: object}`; each object must say what it is. */
export function readOverrides(document: JsonValue | undefined): DiscoveryOverrides {
  if (document === undefined) return new Map();
  if (!isJsonObject(document)) throw new TypeError('the discovery overrides are not a map of objects');
  return new Map(
    Object.entries(document).map(([name, object]) => {
      if (!isJsonObject(object) || typeof object['apiVersion'] !== 'string' || typeof object['kind'] !== 'string')
        throw new TypeError(`the discovery override ${name} needs apiVersion and kind`);
      return [name, { metadata: {}, ...object } as unknown as UnstructuredObject];
    }),
  );
}

/**
 * Holds objects in memory for a dry run. An object that a discovery override names becomes that override when it is
 * applied, as if the cluster had worked on it. Deletions by Maestro take their time, so the object stays, marked.
 */
export class MemoryTransport implements Transport {
  readonly operations: RecordedOperation[] = [];
  private readonly objects = new Map<string, UnstructuredObject>();
  private readonly overrides: DiscoveryOverrides;
  private readonly clock: Clock;

  constructor(overrides: DiscoveryOverrides, clock: Clock) {
    this.overrides = overrides;
    this.clock = clock;
    for (const object of overrides.values()) this.objects.set(keyOf(object), object);
  }

  apply({ manifest, recreateOnChange }: ApplyRequest): Promise<ApplyOutcome> {
    const key = keyOf(manifest);
    const isKnown = this.objects.has(key);
    const operation = !isKnown ? 'create' : recreateOnChange ? 'recreate' : 'update';
    this.objects.set(key, this.overrides.get(manifest.metadata.name ?? '') ?? manifest);
    this.record('apply', manifest.kind, manifest.metadata.namespace, manifest.metadata.name, operation);
    return Promise.resolve({ operation, reason: `dry-run ${operation}` });
  }

  find(query: DiscoveryQuery): Promise<UnstructuredObject | undefined> {
    const { apiVersion, kind, namespace, name, labels = {} } = query;
    this.record(name === undefined ? 'discover' : 'get', kind, namespace, name);
    const inside = namespace === undefined || namespace === '*' ? undefined : namespace;
    const candidates = [...this.objects.values()].filter(
      (object) =>
        object.apiVersion === apiVersion &&
        object.kind === kind &&
        (name === undefined || object.metadata.name === name) &&
        Object.entries(labels).every(([key, value]) => object.metadata.labels?.[key] === value),
    );
    // A manifest for another cluster often leaves its namespace to the transport.
    const placed = candidates.filter(
      (object) => inside === undefined || (object.metadata.namespace ?? inside) === inside,
    );
    return Promise.resolve(newestOf(placed));
  }

  delete({ object, targetCluster }: DeleteRequest): Promise<void> {
    const key = keyOf(object);
    this.record('delete', object.kind, object.metadata.namespace, object.metadata.name);
    if (targetCluster === undefined) this.objects.delete(key);
    else {
      const deletionTimestamp = formatTime(this.clock.now());
      this.objects.set(key, { ...object, metadata: { ...object.metadata, deletionTimestamp } });
    }
    return Promise.resolve();
  }

  private record(
    operation: RecordedOperation['operation'],
    kind: string,
    namespace: string | undefined,
    name: string | undefined,
    result?: string,
  ): void {
    this.operations.push({
      operation,
      kind,
      ...(namespace ? { namespace } : {}),
      name: name ?? '',
      ...(result === undefined ? {} : { result }),
    });
  }
}

function keyOf({ apiVersion, kind, metadata }: UnstructuredObject): string {
  return `${apiVersion}/${kind}/${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
