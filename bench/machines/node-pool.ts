import { type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { Informer } from '@hypershift-ts/kube-client';
import { Usage } from '../hypershift/usage.ts';
import { namespace, type World } from '../hypershift/world.ts';

export type Print = (line: string) => void;

const idleSeconds = 20;

/** Measures what nodes that nothing happens to cost, with the control planes they belong to. */
export async function idle(world: World, nodes: number, print: Print): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const revision = await world.revision();
  const usage = new Usage();
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
  const share = (100 * usage.cpuSeconds()) / usage.seconds();
  const writes = ((await world.revision()) - revision) / usage.seconds();
  print(
    `idle: ${nodes} nodes renewing leases take ${share.toFixed(1)} % of a core, control planes included; ${writes.toFixed(1)} writes/s to the management cluster`,
  );
}

/** A hosted cluster whose node pool has no nodes yet. */
export async function emptyCluster(world: World, name: string): Promise<void> {
  const available = world.available(name);
  await world.create(name, { nodePoolReplicas: 0 }, 'kubevirt');
  await available;
}

export function resize(world: World, name: string, replicas: number): Promise<NodePool> {
  return world.client.patch(nodePools, { namespace, name }, { type: 'merge', body: { spec: { replicas } } });
}

export function isReady(pool: NodePool | undefined, replicas: number): boolean {
  return pool?.spec.replicas === replicas && (pool.status?.replicas ?? 0) === replicas;
}

type Pools = ReadonlyMap<string, NodePool>;

export interface Followed {
  /** Resolves when it is so; with the pools as they are when that takes longer than it may. */
  readonly until: (reached: (pools: Pools) => boolean, patienceMs?: number) => Promise<Pools | undefined>;
  readonly stop: () => Promise<void>;
}

/** All node pools by name, by one watch. */
export function followedPools({ client }: World): Followed {
  const pools = new Map<string, NodePool>();
  let look = () => {};
  const informer = new Informer({ client, type: nodePools, scope: { namespace } });
  const keep = (pool: NodePool): void => {
    pools.set(pool.metadata.name ?? '', pool);
    look();
  };
  informer.addHandler({ added: keep, updated: (_previous, next) => keep(next) });
  informer.start();
  return {
    until: (reached, patienceMs) =>
      new Promise((resolve) => {
        const timer = patienceMs && setTimeout(() => resolve(pools), patienceMs);
        look = () => {
          if (!reached(pools)) return;
          if (timer) clearTimeout(timer);
          resolve(undefined);
        };
        look();
      }),
    stop: () => informer.stop(),
  };
}
