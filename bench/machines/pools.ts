import { type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { Informer } from '@hypershift-ts/kube-client';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { settledMemory, Usage } from '../hypershift/usage.ts';
import { namespace, World } from '../hypershift/world.ts';

type Print = (line: string) => void;

const poolSize = Number(process.env['POOL'] ?? 100);
/** Clusters and nodes of each. */
const [clusters = 50, nodesEach = 100] = (process.env['FLEET'] ?? '').split('x').filter(Boolean).map(Number);
const idleSeconds = 20;
/** Nodes replaced at the same time in the rolling upgrade; the API's default of one would measure patience. */
const surge = '10%';

/** Node pools of hosted clusters: machines are simulated, but boot, fetch Ignition over TLS and join by CSR as real ones do. */
export async function benchNodePools(print: Print): Promise<void> {
  const world = await World.start();
  await onePool(world, print);
  if (clusters > 0) await manyPools(world, print);
  await world.stop();
}

async function onePool(world: World, print: Print): Promise<void> {
  const pools = followed(world);
  await hostedCluster(world, 'pool');
  let usage = new Usage();
  await resize(world, 'pool', poolSize);
  await pools.until((all) => isReady(all.get('pool'), poolSize));
  const seconds = usage.seconds();
  print(
    `one pool: 0 to ${poolSize} Ready in ${seconds.toFixed(1)} s = ${Math.round((100 * seconds) / (poolSize / 10))} % of the aim of ${poolSize / 10} s; ${((1000 * usage.cpuSeconds()) / poolSize).toFixed(0)} ms CPU per node (machine, control plane and controllers)`,
  );
  await idle(world, poolSize, print);
  usage = new Usage();
  await changeConfiguration(world, 'pool');
  await rolledOut(world, 'pool', poolSize);
  print(
    `one pool: rolling upgrade of ${poolSize} with maxSurge ${surge} in ${usage.seconds().toFixed(1)} s; ${((1000 * usage.cpuSeconds()) / poolSize).toFixed(0)} ms CPU per node replaced`,
  );
  await resize(world, 'pool', 0);
  await pools.until((all) => isReady(all.get('pool'), 0));
  await pools.stop();
}

async function manyPools(world: World, print: Print): Promise<void> {
  const names = Array.from({ length: clusters }, (_, index) => `fleet-${index}`);
  const pools = followed(world);
  await Promise.all(names.map((name) => hostedCluster(world, name)));
  const before = await settledMemory();
  const usage = new Usage();
  await Promise.all(names.map((name) => resize(world, name, nodesEach)));
  await pools.until((all) => names.every((name) => isReady(all.get(name), nodesEach)));
  const total = clusters * nodesEach;
  const aim = total === 5000 ? ` = ${Math.round((100 * usage.seconds()) / 60)} % of the 60 s aim` : '';
  print(
    `fleet: ${total} nodes over ${clusters} clusters Ready in ${usage.seconds().toFixed(1)} s${aim}; ${((1000 * usage.cpuSeconds()) / total).toFixed(0)} ms CPU per node`,
  );
  const after = await settledMemory();
  print(
    `fleet: ${((after.heapUsed - before.heapUsed) / 1024 / total).toFixed(0)} KiB heap, ${((after.rss - before.rss) / 1024 / total).toFixed(0)} KiB RSS per node`,
  );
  await idle(world, total, print);
  await pools.stop();
}

async function idle(world: World, nodes: number, print: Print): Promise<void> {
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

async function hostedCluster(world: World, name: string): Promise<void> {
  const available = world.available(name);
  await world.create(name, { nodePoolReplicas: 0 }, 'kubevirt');
  await available;
}

function resize(world: World, name: string, replicas: number): Promise<NodePool> {
  return world.client.patch(nodePools, { namespace, name }, { type: 'merge', body: { spec: { replicas } } });
}

function isReady(pool: NodePool | undefined, replicas: number): boolean {
  return pool?.spec.replicas === replicas && (pool.status?.replicas ?? 0) === replicas;
}

/** A new file on every node: they are replaced. */
async function changeConfiguration(world: World, name: string): Promise<void> {
  const config = `
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: 99-bench
  labels: { machineconfiguration.openshift.io/role: worker }
spec:
  config:
    ignition: { version: 3.2.0 }
    storage:
      files:
        - path: /etc/bench
          mode: 420
          contents: { source: "data:,bench" }
`;
  await world.client.create(corev1.configmaps, { metadata: { namespace, name: 'bench' }, data: { config } });
  const management = { replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 0 } } };
  const body = { spec: { config: [{ name: 'bench' }], management } };
  await world.client.patch(nodePools, { namespace, name }, { type: 'merge', body });
}

/** Until the pool's MachineDeployment has started to roll, and then has nothing but new machines. */
async function rolledOut(world: World, name: string, replicas: number): Promise<void> {
  const scope = { namespace: `${namespace}-${name}`, fieldSelector: `metadata.name=${name}` };
  const deployments = new Informer({ client: world.client, type: capi.machinedeployments, scope });
  await new Promise<void>((resolve) => {
    let isRolling = false;
    const look = ({ metadata, status }: capi.MachineDeployment): void => {
      const updated = status?.updatedReplicas ?? 0;
      isRolling ||= updated < replicas;
      const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
      const isComplete = [updated, status?.replicas, status?.availableReplicas].every((count) => count === replicas);
      if (isRolling && isObserved && isComplete) resolve();
    };
    deployments.addHandler({ added: look, updated: (_previous, next) => look(next) });
    deployments.start();
  });
  await deployments.stop();
}

interface Followed {
  readonly until: (reached: (pools: ReadonlyMap<string, NodePool>) => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** All node pools by name, by one watch. */
function followed({ client }: World): Followed {
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
    until: (reached) =>
      new Promise((resolve) => {
        look = () => {
          if (reached(pools)) resolve();
        };
        look();
      }),
    stop: () => informer.stop(),
  };
}
