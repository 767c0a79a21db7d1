import type { Client } from '@hypershift-ts/kube-client';

const writes = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deleteCollection']);

/** A client that notes every write it is asked for, whether or not the server finds it changes anything. */
export function countingClient(client: Client): { readonly client: Client; readonly written: string[] } {
  const written: string[] = [];
  const counted = new Proxy(client, {
    get(target, name: string) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        if (writes.has(name)) {
          const [type, object] = args as [
            { readonly resource: string },
            { name?: string; metadata?: { name?: string } },
          ];
          written.push(`${name} ${type.resource} ${object.metadata?.name ?? object.name ?? ''}`);
        }
        return (method as (...all: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { client: counted, written };
}
