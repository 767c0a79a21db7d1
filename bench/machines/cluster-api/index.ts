import type { ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Client, Informer } from '@hypershift-ts/kube-client';
import { capiv1beta1, capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { aDeployment, namespace, startWorld } from '../../../e2e/cluster-api/fixture.ts';
import { type ClusterApi, ourClusterApi } from '../../../e2e/cluster-api/implementations.ts';
import { findRealManager, realClusterApi } from '../../../e2e/cluster-api/real-manager.ts';
import { Usage } from '../../hypershift/usage.ts';
import { findInMemoryProvider, startInMemoryWorld } from './in-memory.ts';
import { ourProcess } from './own-process.ts';
import { cpuSecondsOf, residentMiB } from './process-cpu.ts';

type Print = (line: string) => void;

const count = Number(process.env['MACHINES'] ?? 1000);
/** Upstream's clients wait after 100 requests a second unless told otherwise; ours have no such limit. */
const unlimited = [
  '--kube-api-qps=10000',
  '--kube-api-burst=10000',
  '--clustercache-client-qps=10000',
  '--clustercache-client-burst=10000',
];

interface Measured {
  readonly created: number;
  readonly running: number;
  readonly complete: number;
  /** CPU seconds of everybody: API servers, provider and controllers. */
  readonly cpu: number;
}

/**
 * A MachineDeployment from no machine to many: our controllers, and upstream's manager when it is there. API servers,
 * CRDs and the provider, whose machines are nodes at once, are the same for all and live in this process.
 */
export async function benchClusterApi(print: Print): Promise<void> {
  const manager = findRealManager();
  const provider = manager && findInMemoryProvider();
  const wanted = process.env['CAPI']?.split(',');
  const want = (name: string) => !wanted || wanted.includes(name);
  const ours = await measure(ourClusterApi, print);
  const apart = want('process') ? await measure(ourProcess(), print) : undefined;
  const tell = (theirs: Measured) => {
    compare('one process', ours, theirs, print);
    if (apart) compare('own process', apart, theirs, print);
  };
  if (manager && want('unlimited')) {
    tell(await measure({ ...realClusterApi(manager, unlimited), name: 'upstream, unlimited' }, print));
  }
  if (manager && want('stock'))
    tell(await measure({ ...realClusterApi(manager), name: 'upstream, as shipped' }, print));
  if (manager && provider && want('inmemory')) tell(await measureInMemory(manager, provider, print));
}

function compare(how: string, ours: Measured, theirs: Measured, print: Print): void {
  const ratio = (of: (one: Measured) => number) => (of(theirs) / of(ours)).toFixed(1);
  print(
    `upstream / ours (${how}): created ${ratio(({ created }) => created)}, all Running ${ratio(({ running }) => running)}, complete ${ratio(({ complete }) => complete)}, CPU of all processes ${ratio(({ cpu }) => cpu)}`,
  );
}

async function measure(clusterApi: ClusterApi, print: Print): Promise<Measured> {
  const world = await startWorld({ clusterApi, recorded: false });
  try {
    await world.client.create(capiv1beta1.machinedeployments, aDeployment(0));
    const pid = clusterApi.pid?.();
    const writes = world.writes.length;
    const measured = await scaled(world.client, clusterApi, pid === undefined ? [] : [pid], print);
    print(`  ${((world.writes.length - writes) / count).toFixed(1)} writes a machine, those of the provider included`);
    return measured;
  } finally {
    await world.stop();
  }
}

/** Upstream alone, with the provider it is tested with. */
async function measureInMemory(manager: string, provider: string, print: Print): Promise<Measured> {
  const clusterApi = {
    ...realClusterApi(manager, unlimited),
    name: 'upstream, unlimited, with its in-memory provider',
  };
  const world = await startInMemoryWorld(clusterApi, provider, unlimited);
  try {
    return await scaled(world.client, clusterApi, world.pids, print);
  } finally {
    await world.stop();
  }
}

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0), 0);

/** From no machine to all of them; CPU is that of this process and of `pids`. */
async function scaled(
  client: Client,
  { name, version }: ClusterApi,
  pids: readonly number[],
  print: Print,
): Promise<Measured> {
  const machines = followed(client, version);
  await machines.until(({ observed }) => observed);
  const before = cpuOf(pids);
  const usage = new Usage();
  const { machinedeployments } = version === 'v1beta1' ? capiv1beta1 : capiv1beta2;
  const body = { spec: { replicas: count } };
  await client.patch(
    machinedeployments as unknown as ResourceType,
    { namespace, name: 'pool' },
    { type: 'merge', body },
  );
  await machines.until(({ created }) => created >= count);
  const created = usage.seconds();
  await machines.until(({ running }) => running >= count);
  const running = usage.seconds();
  await machines.until(({ complete }) => complete);
  const complete = usage.seconds();
  const apart = cpuOf(pids) - before;
  const cpu = usage.cpuSeconds() + apart;
  const memory = pids.map((pid) => `${residentMiB(pid)?.toFixed(0)} MiB`).join(' and ');
  const others =
    pids.length === 0 ? '' : `, of it ${apart.toFixed(1)} s in ${pids.length} other process(es) of ${memory}`;
  print(
    `${name}: 0 to ${count} machines: created ${created.toFixed(1)} s, all Running ${running.toFixed(1)} s, complete ${complete.toFixed(1)} s; CPU ${cpu.toFixed(1)} s${others}`,
  );
  await machines.stop();
  return { created, running, complete, cpu };
}

interface Progress {
  readonly created: number;
  readonly running: number;
  /** The MachineDeployment counts all of its machines as available. */
  readonly complete: boolean;
  /** The MachineDeployment has been seen by its controller. */
  readonly observed: boolean;
}

interface Followed {
  readonly until: (reached: (progress: Progress) => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The machines by two watches, in the version that is kept: nobody converts for us. */
function followed(client: Client, version: ClusterApi['version']): Followed {
  const scope = { namespace };
  const ofPool = { namespace, labelSelector: 'pool=pool' };
  const { machines, machinedeployments } = version === 'v1beta1' ? capiv1beta1 : capiv1beta2;
  type Machine = { readonly metadata: { readonly name?: string }; readonly status?: { readonly phase?: string } };
  type Deployment = {
    readonly metadata: { readonly generation?: number };
    readonly spec: { readonly replicas?: number };
    readonly status?: { readonly observedGeneration?: number; readonly availableReplicas?: number };
  };
  const running = new Set<string>();
  const seen = new Set<string>();
  let deployment: Deployment | undefined;
  let look = () => {};
  const keep = ({ metadata: { name = '' }, status }: Machine) => {
    seen.add(name);
    if (status?.phase === 'Running') running.add(name);
    look();
  };
  const keepDeployment = (next: Deployment) => {
    deployment = next;
    look();
  };
  const one = new Informer<Machine & capiv1beta1.Machine>({ client, type: machines as never, scope: ofPool });
  one.addHandler({ added: keep, updated: (_before, next) => keep(next) });
  const other = new Informer<Deployment & capiv1beta1.MachineDeployment>({
    client,
    type: machinedeployments as never,
    scope,
  });
  other.addHandler({ added: keepDeployment, updated: (_before, next) => keepDeployment(next) });
  one.start();
  other.start();
  const progress = (): Progress => {
    const { metadata, spec, status } = deployment ?? { metadata: {}, spec: {} };
    const observed = status?.observedGeneration !== undefined && status.observedGeneration === metadata.generation;
    const complete = observed && spec.replicas === count && status.availableReplicas === count;
    return { created: seen.size, running: running.size, complete, observed };
  };
  return {
    until: (reached) =>
      new Promise((resolve) => {
        look = () => {
          if (reached(progress())) resolve();
        };
        look();
      }),
    stop: async () => {
      await one.stop();
      await other.stop();
    },
  };
}
