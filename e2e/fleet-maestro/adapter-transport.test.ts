import { findNested, MaestroTransport } from '@hypershift-ts/fleet-adapter';
import { migrate, openPglite } from '@hypershift-ts/fleet-database';
import {
  appliedManifestWorkCrd,
  grpcAgentTransport,
  migrations,
  SourceClient,
  startBrokerServer,
  startRestServer,
  startSourceServer,
  WorkAgent,
  WorkHub,
} from '@hypershift-ts/fleet-maestro';
import { corev1, isNotFound, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, type Client } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestCluster } from '../harness/cluster.ts';

const targetCluster = 'mc-eu-1';
const patience = { timeout: 20_000, interval: 20 };

function work(generation: number, value: string): UnstructuredObject {
  const annotations = { 'hyperfleet.io/generation': String(generation) };
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name: 'hostedcluster-7f3a', annotations, labels: { 'hyperfleet.io/cluster-id': '7f3a' } },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'demo', namespace: 'default', annotations },
            data: { k: value },
          },
        ],
      },
      manifestConfigs: [
        {
          resourceIdentifier: { resource: 'configmaps', name: 'demo', namespace: 'default' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'data', path: '.data' }] }],
          updateStrategy: { type: 'ServerSideApply' },
        },
      ],
    },
  };
}

describe('An adapter that reaches its clusters through Maestro', () => {
  const parts: (() => unknown)[] = [];
  const query = {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    name: 'hostedcluster-7f3a',
    targetCluster,
  };
  let client: Client;
  let transport: MaestroTransport;

  beforeAll(async () => {
    const [database, cluster] = await Promise.all([openPglite(), startTestCluster()]);
    await migrate(database, migrations);
    client = cluster.client;
    await applyManifests(client, [appliedManifestWorkCrd], { fieldManager: 'test' });
    const hub = new WorkHub({ database });
    const common = { hub, host: '127.0.0.1', port: 0 };
    const sources = await startSourceServer(common);
    const agents = await startBrokerServer(common);
    const rest = await startRestServer(common);
    const source = new SourceClient({
      sourceId: 'hf-controlplane',
      grpc: { address: sources.address },
      httpUrl: rest.url,
    });
    transport = new MaestroTransport(source);
    const way = grpcAgentTransport({ address: agents.address });
    const ending = new AbortController();
    const agent = new WorkAgent({
      client,
      transport: way,
      consumer: targetCluster,
      agentId: 'agent',
      hubAddress: 'maestro',
      statusSyncMs: 50,
    }).run(ending.signal);
    parts.push(
      async () => {
        ending.abort();
        await agent;
        way.close();
        source.close();
      },
      () => rest.close(),
      () => sources.close(),
      () => agents.close(),
      () => hub.settled(),
      () => cluster.stop(),
      () => database.close(),
    );
    await fetch(`${rest.url}/api/maestro/v1/consumers`, {
      method: 'POST',
      body: JSON.stringify({ name: targetCluster }),
    });
  }, 60_000);

  afterAll(async () => {
    for (const part of parts) await part();
  }, 60_000);

  /** The object in the work, with what the cluster said about it. */
  const reported = (value: string) =>
    vi.waitFor(async () => {
      const found = await transport.find(query);
      const nested = found && findNested(found, { name: 'demo', namespace: 'default' });
      expect(nested).toMatchObject({
        statusFeedback: { values: [{ name: 'data', fieldValue: { jsonRaw: JSON.stringify({ k: value }) } }] },
      });
    }, patience);

  it('When a work is new, it should be created and reach the cluster', async () => {
    expect(await transport.find(query)).toBeUndefined();
    expect(await transport.apply({ manifest: work(1, 'one'), targetCluster })).toMatchObject({ operation: 'create' });
    await reported('one');
    expect(
      await transport.find({ ...query, name: undefined as never, labels: { 'hyperfleet.io/cluster-id': '7f3a' } }),
    ).toMatchObject({ metadata: { name: 'hostedcluster-7f3a', namespace: targetCluster } });
  });

  it('When its generation is the same, nothing should be sent', async () => {
    expect(await transport.apply({ manifest: work(1, 'other'), targetCluster })).toMatchObject({ operation: 'skip' });
  });

  it('When its generation moved, it should be updated', async () => {
    expect(await transport.apply({ manifest: work(2, 'two'), targetCluster })).toMatchObject({ operation: 'update' });
    await reported('two');
  });

  it('When it lacks a generation, it should be refused with the annotation it needs', async () => {
    const { metadata, ...rest } = work(3, 'x');
    const manifest = { ...rest, metadata: { name: metadata.name ?? '' } } as UnstructuredObject;
    await expect(transport.apply({ manifest, targetCluster })).rejects.toThrow(
      'ManifestWork hostedcluster-7f3a needs the annotation hyperfleet.io/generation',
    );
  });

  it('When the cluster is unknown, it should say so', async () => {
    await expect(transport.apply({ manifest: work(1, 'x'), targetCluster: 'nowhere' })).rejects.toThrow(
      'there is no consumer nowhere',
    );
  });

  it('When it is deleted, it should be seen going, and then be gone', async () => {
    const object = await transport.find(query);
    await transport.delete({ object: object as UnstructuredObject, propagationPolicy: 'Foreground', targetCluster });
    await vi.waitFor(async () => expect(await transport.find(query)).toBeUndefined(), patience);
    const left = await client.get(corev1.configmaps, { namespace: 'default', name: 'demo' }).catch((error) => error);
    expect(isNotFound(left)).toBe(true);
  });
});
