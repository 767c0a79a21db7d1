import { describe, expect, it } from 'vitest';
import { type ClusterPlanOptions, inOrder, planCluster, platformBuilders } from './index.ts';
import { chosenRelease } from './release.ts';
import { sshPublicKey } from './ssh-key.ts';
import { parseToleration } from './toleration.ts';

const none = platformBuilders.find(({ command }) => command === 'none')!;
const aws = platformBuilders.find(({ command }) => command === 'aws')!;

function plan(flags: Partial<ClusterPlanOptions['flags']> = {}, more: Partial<ClusterPlanOptions> = {}) {
  return planCluster({
    platform: none,
    flags: { name: 'demo', externalApiServerAddress: '127.0.0.1', ...flags },
    random: () => 0,
    randomBytes: (count) => new Uint8Array(count),
    readFile: (path) => Promise.reject(new Error(`ENOENT: ${path}`)),
    ...more,
  });
}

describe('planCluster', () => {
  it('When only a name is given, it should make everything a cluster on an embedded release needs', async () => {
    const notes: string[] = [];
    const objects = await plan({}, { isEmbedded: true, note: (text) => notes.push(text) });
    expect(inOrder(objects, true).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Namespace clusters',
      'Secret demo-pull-secret',
      'Secret demo-etcd-encryption-key',
      'HostedCluster demo',
      'NodePool demo',
    ]);
    expect(objects.cluster.spec.release.image).toMatch(/^registry\.hypershift-ts\.io\/release:/);
    expect(notes.join('\n')).toContain('embedded release');
    expect(notes.join('\n')).toContain('No --pull-secret');
  });

  it('When Secrets may not be shown, it should leave them out', async () => {
    expect(inOrder(await plan(), false).map(({ kind }) => kind)).toEqual(['Namespace', 'HostedCluster', 'NodePool']);
  });

  it('When fewer than no nodes are asked for, it should make no NodePool', async () => {
    expect((await plan({ nodePoolReplicas: -1 })).nodePools).toEqual([]);
  });

  it('When a prefix of the domain is given, it should be in the cluster, and none should be nothing', async () => {
    expect((await plan({ baseDomainPrefix: 'eu' })).cluster.spec.dns).toEqual({
      baseDomain: 'example.com',
      baseDomainPrefix: 'eu',
    });
    expect((await plan({ baseDomainPrefix: 'none' })).cluster.spec.dns).toMatchObject({ baseDomainPrefix: '' });
  });

  it('When it is created paused, it should pause the cluster as well as its nodes', async () => {
    const { cluster, nodePools } = await plan({ pausedUntil: 'true' });
    expect([cluster.spec.pausedUntil, nodePools[0]?.spec.pausedUntil]).toEqual(['true', 'true']);
  });

  it('When the management cluster is a real one, it should not offer releases only embedded ones can run', async () => {
    await expect(plan({}, { isEmbedded: false })).rejects.toThrow('exists inside embedded management clusters only');
  });

  it('When a release of a registry has no pull secret, it should ask for one', async () => {
    await expect(plan({ releaseImage: 'quay.io/ocp/release:4.20.1' })).rejects.toThrow('no pull secret is given');
  });

  it('When the pull secret is not one, it should say so without showing it', async () => {
    const wrong = plan(
      { releaseImage: 'quay.io/ocp/release:4.20.1', pullSecret: 'p' },
      { readFile: () => Promise.resolve('s3cret') },
    );
    await expect(wrong).rejects.toThrow('--pull-secret p: the pull secret is not valid: it is not JSON');
    await expect(wrong).rejects.not.toThrow('s3cret');
  });

  it('When nobody can tell the address of a node, it should name the flag for it', async () => {
    await expect(plan({ externalApiServerAddress: '' })).rejects.toMatchObject({
      fix: expect.stringContaining('--external-api-server-address') as string,
    });
  });

  it('When AWS is not described, it should ask for it, and make it up where the cloud is simulated', async () => {
    await expect(plan({}, { platform: aws })).rejects.toThrow(
      'AWS infrastructure and roles are not made by this command',
    );
    const objects = await plan({}, { platform: aws, isEmbedded: true });
    expect(objects.cluster.spec.platform).toMatchObject({ type: 'AWS', aws: { region: 'us-east-1' } });
    expect(objects.nodePools[0]?.metadata.name).toBe('demo-us-east-1a');
  });

  it.each([
    [{ name: 'Demo' }, '--name Demo'],
    [{ serviceCidr: ['10.0.0.0'] }, '--service-cidr 10.0.0.0: not a network'],
    [{ machineCidr: ['10.133.0.0/16'] }, '--cluster-cidr 10.132.0.0/14 and --machine-cidr 10.133.0.0/16 overlap'],
    [{ ovnKubernetesMtu: 100 }, 'from 576 to 9216'],
    [{ ovnKubernetesMtu: 1400, networkType: 'Other' }, 'works with --network-type OVNKubernetes only'],
    [{ disableClusterCapabilities: ['Ingress'] }, 'together with Console'],
    [{ enableClusterCapabilities: ['Magic'] }, 'unknown capability Magic'],
    [{ pausedUntil: 'tomorrow' }, '--pausedUntil tomorrow'],
    [{ sshKey: 'id.pub', generateSsh: true }, 'cannot be given together'],
    [{ annotations: ['no-value'] }, 'expected key=value'],
    [{ etcdStorageSize: 'big' }, '--etcd-storage-size big'],
    [{ sshKey: 'missing.pub' }, '--ssh-key missing.pub: cannot be read'],
  ])('When flags are %j, it should refuse them with "%s"', async (flags, message) => {
    await expect(plan(flags)).rejects.toThrow(message);
  });
});

describe('parseToleration', () => {
  it('When letter case differs, it should mean the same', () => {
    expect(parseToleration('key=a,operator=exists,effect=noschedule,tolerationSeconds=5')).toEqual({
      key: 'a',
      operator: 'Exists',
      effect: 'NoSchedule',
      tolerationSeconds: 5,
    });
  });

  it('When a field is unknown, it should say which ones there are', () => {
    expect(() => parseToleration('taste=sweet')).toThrow('unknown field taste');
  });
});

describe('chosenRelease', () => {
  it('When a stream names a minor, it should take its newest embedded release', () => {
    expect(chosenRelease({ releaseStream: '4.20-stable' }).image).toMatch(/release:4\.20\.\d+$/);
    expect(() => chosenRelease({ releaseStream: '4.3' })).toThrow('no embedded release belongs to it');
  });
});

describe('sshPublicKey', () => {
  it('When the first bit of the modulus is set, it should stay a positive number', () => {
    const line = sshPublicKey({ n: Buffer.from([0x80, 1]).toString('base64url'), e: 'AQAB' });
    const wire = Buffer.from(line.split(' ')[1] ?? '', 'base64');
    expect(wire.subarray(-7)).toEqual(Buffer.from([0, 0, 0, 3, 0, 0x80, 1]));
  });
});
