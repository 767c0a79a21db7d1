/** Objects of an earlier build, replayed into this one: nothing that rolls a node may be written. */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  annotations,
  type HostedCluster,
  hostedClusters,
  type NodePool,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import { corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  aHostedClusterOn,
  aPool,
  completeDeployment,
  eventually,
  namespace,
  poolNamed,
  startWorld,
  version,
  type World,
} from './world.ts';

const file = new URL('fixtures/first-build.json', import.meta.url);
const kinds: readonly ResourceType<KubeObject>[] = [
  corev1.configmaps,
  corev1.secrets,
  hostedClusters,
  nodePools,
  capiv1beta1.machinedeployments,
  capiv1beta1.machinesets,
  capiv1beta1.machinehealthchecks,
  awsv1beta2.awsmachinetemplates as ResourceType<KubeObject>,
];
const motd = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: motd
spec:
  config:
    ignition:
      version: 3.2.0
    storage:
      files:
      - path: /etc/motd
        contents:
          source: data:,hello
`;

let world: World;
beforeEach(async () => {
  world = await startWorld('aws');
}, 60_000);
afterEach(() => world?.stop());

/** Two pools, one of each way of updating, as this build leaves them. */
async function record(client: Client): Promise<readonly KubeObject[]> {
  await aHostedClusterOn(client, 'AWS', {
    configuration: { proxy: { httpProxy: 'http://proxy.example.com:3128', noProxy: '.example.com' } },
  });
  await client.create(corev1.configmaps, { metadata: { namespace: 'clusters', name: 'motd' }, data: { config: motd } });
  await aPool(client, 'replaced', 'AWS', { config: [{ name: 'motd' }], nodeLabels: { team: 'blue' } });
  await aPool(client, 'updated', 'AWS', { management: { upgradeType: 'InPlace' } });
  await completeDeployment(client, 'replaced');
  for (const name of ['replaced', 'updated'])
    await eventually(async () => expect((await poolNamed(client, name)).status?.version).toBe(version));
  const lists = await Promise.all(
    kinds.flatMap((type) =>
      ['clusters', namespace].map(async (at) =>
        (await client.list(type, { namespace: at })).items.map((item) => ({
          ...item,
          apiVersion: type.group ? `${type.group}/${type.version}` : type.version,
          kind: type.kind,
        })),
      ),
    ),
  );
  return lists.flat();
}

/** What a store would hand out of it: nothing that only this server could know. */
function stored(object: KubeObject): KubeObject {
  const { resourceVersion: _, uid: __, managedFields: ___, creationTimestamp: ____, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** A merge would take null for a wish to remove. */
const put = (status: object) => ({ op: 'add', path: '/status', value: status });

async function replay(client: Client, objects: readonly KubeObject[]): Promise<void> {
  let cluster: HostedCluster | undefined;
  for (const object of objects) {
    const type = kinds.find(({ kind }) => kind === object.kind);
    if (!type) throw new Error(`nobody knows kind ${object.kind}`);
    const { status } = object as { status?: object };
    const owned = object.kind === 'NodePool' && cluster;
    const owner = owned && { ...object.metadata.ownerReferences?.[0], uid: cluster?.metadata.uid };
    const metadata = owner ? { ...object.metadata, ownerReferences: [owner] } : object.metadata;
    // Pools wait until everything else is back, as after a restore.
    const paused = object.kind === 'NodePool' ? { spec: { ...(object as NodePool).spec, pausedUntil: 'true' } } : {};
    const created = await client.create(type, { ...object, ...paused, metadata } as never);
    // A patch: the operator may already have marked what belongs to a paused pool.
    const { namespace: at, name = '' } = created.metadata;
    const key = { ...(at ? { namespace: at } : {}), name };
    const back = status
      ? await client.patch(type, key, { type: 'json', body: [put(status)] }, { subresource: 'status' })
      : created;
    if (object.kind === 'HostedCluster') cluster = back as HostedCluster;
  }
}

const rolling = async (client: Client) => ({
  deployments: (await client.list(capiv1beta1.machinedeployments, { namespace })).items.map(({ metadata, spec }) => [
    metadata.name,
    spec.template,
  ]),
  sets: (await client.list(capiv1beta1.machinesets, { namespace })).items.map(({ metadata, spec }) => [
    metadata.name,
    metadata.annotations?.['hypershift.openshift.io/nodePoolTargetConfigVersion'],
    spec.template,
  ]),
  templates: (await client.list(awsv1beta2.awsmachinetemplates, { namespace })).items.map(({ metadata, spec }) => [
    metadata.name,
    spec,
  ]),
  secrets: (await client.list(corev1.secrets, { namespace })).items.map(({ metadata }) => metadata.name ?? '').sort(),
});

/** Lets the pools go on and waits until this build has judged all of them. */
async function takeOver(client: Client): Promise<void> {
  for (const name of ['replaced', 'updated']) {
    const body = { spec: { pausedUntil: null } };
    await client.patch(nodePools, { namespace: 'clusters', name }, { type: 'merge', body });
  }
  await eventually(async () => {
    for (const name of ['replaced', 'updated']) {
      const pool = await poolNamed(client, name);
      const active = pool.status?.conditions?.find(({ type }) => type === 'ReconciliationActive');
      expect(active).toMatchObject({ status: 'True', observedGeneration: pool.metadata.generation });
      for (const type of ['UpdatingConfig', 'UpdatingVersion', 'UpdatingPlatformMachineTemplate'])
        expect(pool.status?.conditions?.find((one) => one.type === type)).toMatchObject({ status: 'False' });
    }
  });
}

const recorded = (): string => readFileSync(file, 'utf8');
const objectsOf = (text: string) => JSON.parse(text) as readonly KubeObject[];

describe('A new build', () => {
  it('When it takes over the objects of an earlier one, no machine should be replaced', async () => {
    const { client } = world;
    if (process.env['RECORD']) {
      writeFileSync(file, `${JSON.stringify((await record(client)).map(stored), null, 2)}\n`);
      return;
    }
    await replay(client, objectsOf(recorded()));
    const before = await rolling(client);
    await takeOver(client);
    expect(await rolling(client)).toEqual(before);
  });

  it('When another operator computed the hashes, no machine should be replaced either', async () => {
    const { client } = world;
    const hashes = objectsOf(recorded())
      .filter(({ kind }) => kind === 'NodePool')
      .flatMap(({ metadata }) => [
        metadata.annotations?.[annotations.nodePoolCurrentConfigVersion.key] ?? '',
        metadata.annotations?.[annotations.nodePoolCurrentConfig.key] ?? '',
      ]);
    const foreign = hashes.reduce((text, hash, index) => text.replaceAll(hash, `feed000${index}`), recorded());
    await replay(client, objectsOf(foreign));
    const before = await rolling(client);
    expect(before.secrets).toContain('token-replaced-feed0000');
    await takeOver(client);
    expect(await rolling(client)).toEqual(before);
    const motto = { metadata: { namespace: 'clusters', name: 'motd' }, data: { config: motd.replace('hello', 'bye') } };
    await client.update(corev1.configmaps, motto);
    await eventually(async () => {
      const live = await client.get(capiv1beta1.machinedeployments, { namespace, name: 'replaced' });
      expect(live.spec.template.spec.bootstrap.dataSecretName).not.toContain('feed0000');
    });
  });
});
