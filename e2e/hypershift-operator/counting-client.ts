import type { Client } from '@hypershift-ts/kube-client';

const writes = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deleteCollection']);

/** A client that notes every write it is asked for, whether or not the server finds it changes anything. */
export interface CountingClient {
  readonly client: Client;
  readonly written: string[];
  /** Refuses every write after this many more, as if the process had died; undefined allows all. */
  limit(more: number | undefined): void;
}

export function countingClient(client: Client): CountingClient {
  const written: string[] = [];
  let limit = Number.POSITIVE_INFINITY;
  const counted = new Proxy(client, {
    get(target, name: string) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const [type, object] = args as [{ readonly resource: string }, { name?: string; metadata?: { name?: string } }];
        // A lease is renewed and given back whatever happens to the clusters.
        if (writes.has(name) && type.resource !== 'leases') {
          if (written.length >= limit) return Promise.reject(new Error('this process is dead'));
          written.push(`${name} ${type.resource} ${object.metadata?.name ?? object.name ?? ''}`);
        }
        return (method as (...all: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return {
    client: counted,
    written,
    limit: (more) => {
      limit = more === undefined ? Number.POSITIVE_INFINITY : written.length + more;
    },
  };
}
