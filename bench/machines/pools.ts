import { nodePools } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { Informer } from '@hypershift-ts/kube-client';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { Usage } from '../hypershift/usage.ts';
import { namespace, World } from '../hypershift/world.ts';
import { emptyCluster, followedPools, idle, isReady, type Print, resize } from './node-pool.ts';

const poolSize = Number(process.env['POOL'] ?? 100);
/** Nodes replaced at the same time in the rolling upgrade; the API's default of one would measure patience. */
const surge = '10%';

/** Node pools of hosted clusters: machines are simulated, but boot, fetch Ignition over TLS and join by CSR as real ones do. */
export async function benchNodePools(print: Print): Promise<void> {
  const world = await World.start();
  await onePool(world, print);
  await world.stop();
}

async function onePool(world: World, print: Print): Promise<void> {
  const pools = followedPools(world);
  await emptyCluster(world, 'pool');
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
