import { EmbeddedCluster, type EmbeddedClusterOptions } from '@hypershift-ts/kube-embedded';

/** What one more idle API server costs beside others in the process, without and with its controllers. */
export async function benchMemory(print: (line: string) => void): Promise<void> {
  await measure('API server alone', { controllers: false }, 3, print);
  await measure('with controllers and scheduler', { nodes: [] }, 6, print);
}

async function measure(
  what: string,
  options: EmbeddedClusterOptions,
  aimMb: number,
  print: (line: string) => void,
): Promise<void> {
  const count = 50;
  const warm = await EmbeddedCluster.start(options);
  const before = await settled();
  const began = performance.now();
  const clusters: EmbeddedCluster[] = [];
  for (let i = 0; i < count; i++) clusters.push(await EmbeddedCluster.start(options));
  const startMs = (performance.now() - began) / count;
  const after = await settled();
  const rss = (after.rss - before.rss) / count / 1e6;
  const heap = (after.heapUsed - before.heapUsed) / count / 1e6;
  print(
    `${what}: ${rss.toFixed(2)} MB RSS (${heap.toFixed(2)} MB heap) each over ${count} = ${Math.round((100 * rss) / aimMb)} % of the ${aimMb} MB aim; start ${startMs.toFixed(0)} ms`,
  );
  await Promise.all([warm, ...clusters].map((cluster) => cluster.stop()));
}

async function settled(): Promise<NodeJS.MemoryUsage> {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage();
}
