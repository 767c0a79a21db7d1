import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { runMigrationControllers } from '@hypershift-ts/machines-migration';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awsProviderSpec, eventually, infrastructure, MigrationCluster } from './cluster.ts';
import { machineApiNamespace, oldKey } from './keys.ts';

describe('The migration controllers as a whole', () => {
  let cluster: MigrationCluster;

  beforeAll(async () => {
    cluster = await MigrationCluster.start();
  }, 60_000);
  afterAll(() => cluster?.stop());

  it('When a machine says something that gets lost and then cannot be migrated, it should tell by event and metric', async () => {
    const stop = new AbortController();
    const registry = new Registry();
    const client = cluster.remoteControllerClient();
    const ended = runMigrationControllers({ client, platform: 'AWS', infrastructure, registry, signal: stop.signal });
    const blockDevices = [{ ebs: { volumeSize: 120 } }, { deviceName: '/dev/sdb' }];
    await cluster.client.create(mapiv1beta1.machines, {
      metadata: oldKey('lossy'),
      spec: { providerSpec: awsProviderSpec({ blockDevices }) },
    });
    await eventually(async () => {
      const { items } = await cluster.client.list(corev1.events, { namespace: machineApiNamespace });
      expect(items).toContainEqual(
        expect.objectContaining({
          type: 'Warning',
          reason: 'ConversionWarning',
          source: { component: 'machine-sync-controller' },
          message: expect.stringContaining('missing ebs configuration for block device'),
        }),
      );
    });
    await eventually(async () =>
      expect((await cluster.client.get(mapiv1beta1.machines, oldKey('lossy'))).status).toMatchObject({
        synchronizedAPI: 'MachineAPI',
      }),
    );
    await cluster.client.create(mapiv1beta1.machines, {
      metadata: oldKey('stalled'),
      spec: { providerSpec: awsProviderSpec({ deviceIndex: 1 }) },
    });
    await eventually(async () =>
      expect((await cluster.client.get(mapiv1beta1.machines, oldKey('stalled'))).status?.authoritativeAPI).toBe(
        'MachineAPI',
      ),
    );
    await cluster.client.patch(mapiv1beta1.machines, oldKey('stalled'), {
      type: 'merge',
      body: { spec: { authoritativeAPI: 'ClusterAPI' } },
    });
    await eventually(async () =>
      expect(await registry.metrics()).toContain(
        'mapi_migration_pending{kind="Machine",namespace="openshift-machine-api",name="stalled",from="MachineAPI",to="ClusterAPI",reason="FailedToConvertMAPIMachineToCAPI"} 1',
      ),
    );
    stop.abort();
    await ended;
    await client.close();
    expect(await registry.metrics()).not.toContain('mapi_migration_pending{');
  });

  it('When machines of a platform cannot be migrated, it should idle until it is stopped', async () => {
    const stop = new AbortController();
    const client = cluster.controllerClient();
    const ended = runMigrationControllers({ client, platform: 'None', infrastructure, signal: stop.signal });
    stop.abort();
    await expect(ended).resolves.toBeUndefined();
  });
});
