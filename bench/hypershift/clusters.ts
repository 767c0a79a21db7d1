import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { settledMemory, Usage } from './usage.ts';
import { World } from './world.ts';

/** How many: one after another, then at once, at once, and until so many are there. */
const [ones = 20, few = 20, many = 100, most = 200] = (process.env['CLUSTERS'] ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);
const aims = { oneSeconds: 2, manySeconds: 60, megabytes: 12 };
const idleSeconds = 20;
/** Stores keep what was overwritten for five minutes and look every half; only then is a cluster as small as it stays. */
const historySeconds = Number(process.env['HISTORY_SECONDS'] ?? 340);

type Print = (line: string) => void;

/** Hosted clusters: how long until one is Available, many at once, and what idle ones cost. */
export async function benchHostedClusters(print: Print): Promise<void> {
  const limits = await measureLimits(print);
  const world = await World.start();
  await world.secondsToAvailable('warm-up');
  const early = await oneByOne(world, limits, print);
  // The baseline's own history must not be what the others' seems to save.
  await new Promise((resolve) => setTimeout(resolve, historySeconds * 1000));
  await quiet();
  const before = await settledMemory();
  await atOnce(world, 'few', few, print);
  await atOnce(world, 'many', many, print);
  await quiet();
  await memory('just started', before, few + many, print);
  await idle(world, few + many, print);
  if (historySeconds > 0) {
    await new Promise((resolve) => setTimeout(resolve, historySeconds * 1000));
    await memory('with its history compacted', before, few + many, print);
  }
  const present = 1 + ones + few + many;
  if (most > present) await atOnce(world, 'most', most - present, print);
  await stillFlat(world, early, Math.max(most, present), print);
  await world.stop();
}

interface Limits {
  /** Milliseconds of CPU to create one plain object, with nobody watching. */
  readonly createMs: number;
}

/** What the parts a hosted cluster is made of cost alone. */
async function measureLimits(print: Print): Promise<Limits> {
  const keys = await millisecondsEach(20, () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 }));
  const cluster = await EmbeddedCluster.start({ controllers: false });
  const client = cluster.client(undefined, 'bench');
  const data = { text: 'x'.repeat(2_000) };
  const create = (index: number) =>
    client.create(corev1.configmaps, { metadata: { namespace: 'default', name: `plain-${index}` }, data });
  const usage = new Usage();
  await millisecondsEach(2_000, create);
  const createMs = (1000 * usage.cpuSeconds()) / 2_000;
  await cluster.stop();
  const serverMs = await millisecondsEach(10, async () => (await EmbeddedCluster.start({ controllers: false })).stop());
  print(
    `limits: an RSA-2048 key ${keys.toFixed(0)} ms (other threads), an empty API server ${serverMs.toFixed(0)} ms, a plain object ${createMs.toFixed(2)} ms of CPU`,
  );
  return { createMs };
}

async function oneByOne(world: World, { createMs }: Limits, print: Print): Promise<number> {
  const times: number[] = [];
  const usage = new Usage();
  const revision = await world.revision();
  for (let index = 0; index < ones; index++) times.push(await world.secondsToAvailable(`one-${index}`));
  const writes = ((await world.revision()) - revision) / ones;
  const cpu = usage.cpuSeconds() / ones;
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  print(
    `one: Available after p50 ${p50.toFixed(2)} s, p95 ${p95.toFixed(2)} s over ${ones} = ${percent(p95, aims.oneSeconds)} of the ${aims.oneSeconds} s aim; ${cpu.toFixed(2)} s CPU each`,
  );
  print(
    `one: ${Math.round(writes)} writes to the management cluster, ${((cpu * 1000) / writes / createMs).toFixed(1)} times the CPU of as many plain objects (hosted API server, certificates and operators included)`,
  );
  return p50;
}

async function atOnce(world: World, prefix: string, count: number, print: Print): Promise<void> {
  const usage = new Usage();
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  await Promise.all(names.map((name) => world.secondsToAvailable(name)));
  const seconds = usage.seconds();
  const aim = count === 100 ? ` = ${percent(seconds, aims.manySeconds)} of the ${aims.manySeconds} s aim` : '';
  print(
    `${count} at once: all Available after ${seconds.toFixed(1)} s${aim}; ${(usage.cpuSeconds() / count).toFixed(2)} s CPU each`,
  );
}

async function memory(when: string, before: NodeJS.MemoryUsage, added: number, print: Print): Promise<void> {
  const after = await settledMemory();
  const each = (field: 'rss' | 'heapUsed') => (after[field] - before[field]) / added / 1e6;
  print(
    `idle: ${each('heapUsed').toFixed(1)} MB heap, ${each('rss').toFixed(1)} MB RSS per hosted cluster ${when}, over ${added}; the heap is ${percent(each('heapUsed'), aims.megabytes)} of the ${aims.megabytes} MB aim`,
  );
}

async function idle(world: World, added: number, print: Print): Promise<void> {
  const usage = new Usage();
  const revision = await world.revision();
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
  const present = 1 + ones + added;
  const share = (100 * usage.cpuSeconds()) / usage.seconds();
  const writes = ((await world.revision()) - revision) / usage.seconds();
  print(
    `idle: ${present} hosted clusters take ${share.toFixed(1)} % of a core (${((100 * share) / present).toFixed(1)} % per 100), ${writes.toFixed(1)} writes/s to the management cluster`,
  );
}

async function stillFlat(world: World, early: number, present: number, print: Print): Promise<void> {
  const times: number[] = [];
  for (let index = 0; index < 5; index++) times.push(await world.secondsToAvailable(`late-${index}`));
  const late = quantile(times, 0.5);
  print(
    `flat: one more beside ${present} is Available after ${late.toFixed(2)} s, ${(late / early).toFixed(2)} times as long as beside about ${Math.ceil(ones / 2)}`,
  );
}

/** What follows Available (status, events, endpoints) is not what comes next. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10_000));
}

async function millisecondsEach(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let index = 0; index < count; index++) await work(index);
  return (performance.now() - began) / count;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}
