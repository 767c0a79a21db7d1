import type { Store } from '@hypershift-ts/kube-store';
import { type Counts, filesBelow, objectKeys, openFiles } from '../inventory.ts';
import type { Product } from '../product.ts';

/** What there was after a cycle; cycle 0 is before the first. */
export interface Measurement {
  readonly cycle: number;
  readonly createMs: number;
  readonly destroyMs: number;
  /** Megabytes in use after collection. */
  readonly memory: number;
  /** Things that can be counted: each must return to what it was. */
  readonly counts: Counts;
  readonly keys: readonly string[];
  readonly files: readonly string[];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Memory in use once everything that can be collected is. */
async function memoryInUse(store: Store): Promise<number> {
  await store.compact(await store.currentRevision());
  for (let i = 0; i < 4; i++) {
    await pause(20);
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

function countsOf({ management }: Product, store: Store & { readonly watches: number }): Counts {
  return {
    ...openFiles(),
    watches: store.watches,
    instances: management.cloud.list().length,
    ...management.directory.size,
  };
}

/** Counts what is there, when two looks in a row agree: the last sockets close a moment after the last object is gone. */
export async function measure(
  product: Product,
  store: Store & { readonly watches: number },
  dataDir: string,
): Promise<Pick<Measurement, 'memory' | 'counts' | 'keys' | 'files'>> {
  let counts = countsOf(product, store);
  for (let looks = 0; looks < 20; looks++) {
    await pause(100);
    const now = countsOf(product, store);
    if (JSON.stringify(now) === JSON.stringify(counts)) break;
    counts = now;
  }
  const memory = await memoryInUse(store);
  return { memory, counts, keys: await objectKeys(store), files: filesBelow(dataDir) };
}
