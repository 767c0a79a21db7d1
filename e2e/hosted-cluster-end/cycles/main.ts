import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@hypershift-ts/kube-store';
import { countingStore } from '../inventory.ts';
import { type ClusterShape, create, created, destroy, startProduct } from '../product.ts';
import { measure } from './measurement.ts';

// Arguments: platform, nodes, cycles. Prints one JSON line a cycle.
const [platform = 'none', nodes = '0', cycles = '10'] = process.argv.slice(2);
const shape: ClusterShape = { platform, nodes: Number(nodes) };
const dataDir = mkdtempSync(join(tmpdir(), 'cycles-'));
const store = countingStore(createMemoryStore());
const product = await startProduct({ dataDir, store });

const report = async (cycle: number, createMs: number, destroyMs: number): Promise<void> => {
  const line = { cycle, createMs, destroyMs, ...(await measure(product, store, dataDir)) };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

try {
  await report(0, 0, 0);
  for (let cycle = 1; cycle <= Number(cycles); cycle++) {
    const name = `cycle-${cycle}`;
    const begin = Date.now();
    await create(product, name, shape);
    await created(product, name, shape);
    const up = Date.now();
    await destroy(product, name);
    await report(cycle, up - begin, Date.now() - up);
  }
  await product.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
