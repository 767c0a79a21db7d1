/** Must show: objects of an earlier build, replayed into this one, replace no machine. */
import { readdirSync } from 'node:fs';
import { corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { awsv1beta2 as aws } from '@hypershift-ts/machines-providers';
import { afterEach, describe, expect, it } from 'vitest';
import { waitForCluster } from '../../packages/hypershift/cli/src/progress/index.ts';
import { eventually, namespace, Product } from './harness.ts';
import { replayed } from './recorded-objects.ts';

const builds = readdirSync(new URL('fixtures', import.meta.url));

/** Every object of a kind that ever was there, and what matters of each of its versions. */
function history<T extends KubeObject>(
  product: Product,
  type: ResourceType<T>,
  matters: (object: T) => unknown,
): { readonly seen: Map<string, Set<string>>; readonly gone: Set<string>; stop(): Promise<void> } {
  const seen = new Map<string, Set<string>>();
  const gone = new Set<string>();
  const stopping = new AbortController();
  const run = async () => {
    const options = { namespace: product.controlPlane, sendInitialEvents: true, signal: stopping.signal } as const;
    for await (const { type: what, object } of product.client.watch(type, {
      ...options,
      allowWatchBookmarks: true,
      resourceVersionMatch: 'NotOlderThan',
    })) {
      if (what === 'BOOKMARK') continue;
      const { name = '', uid = '' } = object.metadata;
      if (what === 'DELETED') gone.add(name);
      const versions = seen.get(`${name} ${uid}`) ?? new Set();
      seen.set(`${name} ${uid}`, versions.add(JSON.stringify(matters(object))));
    }
  };
  const running = run().catch(() => {});
  return {
    seen,
    gone,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const hashKey = 'hypershift.openshift.io/nodePoolCurrentConfigVersion';
const isBootSecret = /^(token|user-data)-/;

describe.each(builds)('Objects of build %s', (build) => {
  let product: Product | undefined;
  afterEach(() => product?.stop(), 60_000);

  it('When this build takes them over, no machine, token or template should be made or changed', async () => {
    product = await Product.resume(await replayed(build));
    const started = product;
    await started.install();
    const machines = history(started, capi.machines, ({ spec }) => [spec.bootstrap, spec.infrastructureRef.name]);
    const deployments = history(started, capi.machinedeployments, ({ spec }) => spec.template);
    const sets = history(started, capi.machinesets, ({ spec }) => spec.template);
    const templates = history(started, aws.awsmachinetemplates, ({ spec }) => spec);
    const histories = [machines, deployments, sets, templates];
    const pools = ['demo-us-east-1a', 'stays'];
    const names = async () => (await started.machines()).map(({ metadata }) => metadata.name);
    const secrets = async () =>
      (await started.inControlPlane(corev1.secrets))
        .map(({ metadata }) => metadata.name ?? '')
        .filter((name) => isBootSecret.test(name));
    const before = { names: await names(), secrets: await secrets() };
    expect(before.names).toHaveLength(2);
    // Their conditions tell of the past, so something new is asked for: one more machine, and one more is what comes.
    await started.patchPool({ replicas: 2 }, pools[0]);
    await eventually(async () => {
      expect((await started.pool(pools[0])).status?.replicas).toBe(2);
      const booted = started.management.cloud.list().filter(({ machine }) => machine.state === 'running');
      expect(booted).toHaveLength(3);
    }, 240_000);
    for (const pool of pools)
      await eventually(async () => {
        for (const type of ['UpdatingConfig', 'UpdatingVersion', 'UpdatingPlatformMachineTemplate'])
          expect(await started.poolCondition(type, pool)).toMatchObject({ status: 'False' });
        for (const type of ['AllMachinesReady', 'AllNodesHealthy', 'ReachedIgnitionEndpoint', 'ValidGeneratedPayload'])
          expect(await started.poolCondition(type, pool)).toMatchObject({ status: 'True' });
      });
    await waitForCluster({ client: started.client, namespace, name: started.name, goal: 'rolled-out' });
    for (const one of histories) await one.stop();
    expect(await names()).toEqual(expect.arrayContaining(before.names));
    // An outdated token may have expired since it was recorded; the others stay, and none is added.
    const now = await secrets();
    expect(before.secrets).toEqual(expect.arrayContaining(now));
    for (const pool of pools) {
      const hash = (await started.pool(pool)).metadata.annotations?.[hashKey] ?? '';
      expect(now).toEqual(expect.arrayContaining([`token-${pool}-${hash}`, `user-data-${pool}-${hash}`]));
    }
    expect({ machines: machines.seen.size, deployments: deployments.seen.size }).toEqual({
      machines: 3,
      deployments: 1,
    });
    expect({ sets: sets.seen.size, templates: templates.seen.size }).toEqual({ sets: 2, templates: 2 });
    for (const { seen, gone } of histories) {
      expect([...gone]).toEqual([]);
      for (const [object, versions] of seen) expect([object, [...versions]]).toEqual([object, [[...versions][0]]]);
    }
  }, 400_000);
});
