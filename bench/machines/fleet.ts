import { readdir } from 'node:fs/promises';
import { openFileLimit } from '@hypershift-ts/machines-providers';
import { settledMemory, Usage } from '../hypershift/usage.ts';
import { World } from '../hypershift/world.ts';
import { emptyCluster, followedPools, idle, isReady, type Print, resize } from './node-pool.ts';

/** Clusters and nodes of each. */
const [clusters = 50, nodesEach = 100] = (process.env['FLEET'] ?? '').split('x').filter(Boolean).map(Number);
/** For 5,000 nodes; smaller fleets are held to their share of it. */
const aim = { nodes: 5000, seconds: 60 };
/** Files and sockets that things keep open, and what is opened for moments only. */
const filesOf = { cluster: 60, node: 2, rest: 2000 };
/** After this long the figures are those of as many nodes as there are. */
const patienceMs = 20 * 60_000;
/** Clusters made at the same time, before the clock starts. */
const madeAtOnce = 5;

/** Node pools of many hosted clusters that grow at the same time, and what their idle nodes cost. */
export async function benchFleet(print: Print): Promise<void> {
  if (clusters === 0) return;
  const limit = await openFileLimit();
  const wanted = clusters * filesOf.cluster + clusters * nodesEach * filesOf.node + filesOf.rest;
  if (wanted > limit) {
    print(`fleet: left out: about ${wanted} open files are needed and ${limit} allowed; raise the limit (ulimit -n)`);
    return;
  }
  const world = await World.start();
  const names = Array.from({ length: clusters }, (_, index) => `fleet-${index}`);
  const pools = followedPools(world);
  for (let first = 0; first < clusters; first += madeAtOnce)
    await Promise.all(names.slice(first, first + madeAtOnce).map((name) => emptyCluster(world, name)));
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const [before, filesBefore] = [await settledMemory(), await openFiles()];
  print(`fleet: ${clusters} clusters are up with ${filesBefore} open files`);
  const usage = new Usage();
  await Promise.all(names.map((name) => resize(world, name, nodesEach)));
  const total = clusters * nodesEach;
  const late = await pools.until((all) => names.every((name) => isReady(all.get(name), nodesEach)), patienceMs);
  if (late) {
    const ready = names.reduce((sum, name) => sum + (late.get(name)?.status?.replicas ?? 0), 0);
    print(`fleet: only ${ready} of ${total} nodes are Ready; this machine has no CPU left for more`);
  }
  const [seconds, cpu] = [usage.seconds(), usage.cpuSeconds()];
  const share = Math.round((100 * seconds) / ((aim.seconds * total) / aim.nodes));
  print(
    `fleet: ${total} nodes over ${clusters} clusters Ready in ${seconds.toFixed(1)} s = ${share} % of the aim (${aim.nodes} in ${aim.seconds} s); ${((1000 * cpu) / total).toFixed(1)} ms CPU per node, ${Math.round((100 * cpu) / seconds)} % of a core had`,
  );
  // Pods of the new nodes and serving certificates still come in.
  await new Promise((resolve) => setTimeout(resolve, 20_000 + total * 10));
  const after = await settledMemory();
  print(
    `fleet: ${((after.heapUsed - before.heapUsed) / 1024 / total).toFixed(0)} KiB heap, ${((after.rss - before.rss) / 1024 / total).toFixed(0)} KiB RSS per node; ${(after.rss / 1e9).toFixed(1)} GB in all; ${(((await openFiles()) - filesBefore) / total).toFixed(1)} open files per node`,
  );
  await idle(world, total, print);
  await pools.stop();
  // While everything ends, thousands of clients look for their servers at once; the figures are out by then.
  await world.stop().catch((error: Error) => print(`fleet: not everything could be closed: ${error.message}`));
}

/** Files and sockets of this process; 0 where the system does not tell. */
async function openFiles(): Promise<number> {
  const entries = await readdir('/proc/self/fd').catch(() => []);
  return entries.length;
}
