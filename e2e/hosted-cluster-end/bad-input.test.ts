import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { type HostedCluster, hostedClusters } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage, embeddedReleases } from '@hypershift-ts/hypershift-release';
import { corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import { createMemoryStore } from '@hypershift-ts/kube-store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isBuilt } from '../harness/process.ts';
import { objectKeys } from './inventory.ts';
import { create, created, destroy, namespace, type Product, startProduct } from './product.ts';

const none = { platform: 'none', nodes: 0 };
const eventually = <T>(check: () => Promise<T>, timeout = 60_000) => vi.waitFor(check, { timeout, interval: 100 });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const program = join(import.meta.dirname, '../../bin/hypershift');

describe('Bad input to the whole product', () => {
  const store = createMemoryStore();
  let product: Product;
  let before: ReadonlySet<string>;

  beforeAll(async () => {
    product = await startProduct({ store });
    const key = { name: namespace };
    await product.client.create(corev1.namespaces, { metadata: key });
    await eventually(() => product.client.get(corev1.serviceaccounts, { namespace, name: 'default' }));
    await eventually(() => product.client.get(corev1.configmaps, { namespace, name: 'kube-root-ca.crt' }));
    before = new Set(await objectKeys(store));
  }, 120_000);

  afterAll(() => product?.stop(), 60_000);

  const cluster = (name: string) => product.client.get(hostedClusters, { namespace, name });
  const patch = (name: string, spec: object): Promise<HostedCluster> =>
    product.client.patch(hostedClusters, { namespace, name }, { type: 'merge', body: { spec } });

  /** The condition says all of this, and Available says it, too. */
  const refused = (name: string, type: string, ...words: readonly string[]) =>
    eventually(async () => {
      const { status } = await cluster(name);
      const [found, available] = [type, 'Available'].map((one) => findCondition(status?.conditions, one));
      expect(found?.status).toBe('False');
      expect(available?.status).toBe('False');
      for (const word of words) {
        expect(found?.message).toContain(word);
        expect(available?.message).toContain(word);
      }
    });

  const accepted = (name: string, type: string) =>
    eventually(async () => {
      const { status } = await cluster(name);
      expect(findCondition(status?.conditions, type)).toMatchObject({ status: 'True' });
    });

  it('When networks overlap, the command line should name both flags and create nothing', async () => {
    const flags = { clusterCidr: ['10.0.0.0/14'], serviceCidr: ['10.1.0.0/16'] };
    await expect(create(product, 'ranges', none, flags)).rejects.toThrow(/--(cluster|service)-cidr.*overlap/);
    expect((await product.client.list(corev1.secrets, { namespace })).items).toEqual([]);
  });

  it('When networks overlap in the object, the condition should name both fields, and it should go away', async () => {
    expect.hasAssertions();
    await create(product, 'ranges', none, { pausedUntil: 'true' });
    const networking = { clusterNetwork: [{ cidr: '10.0.0.0/14' }], serviceNetwork: [{ cidr: '10.1.0.0/16' }] };
    const { spec } = await cluster('ranges');
    await destroy(product, 'ranges');
    await product.client.create(corev1.secrets, {
      metadata: { namespace, name: spec.pullSecret.name ?? '' },
      data: { '.dockerconfigjson': base64('{"auths":{}}') },
    });
    const { pausedUntil: _, ...rest } = spec;
    const wrong = { ...rest, networking: { ...rest.networking, ...networking } };
    await product.client.create(hostedClusters, { metadata: { namespace, name: 'ranges' }, spec: wrong } as never);
    const fields = ['spec.networking.serviceNetwork', 'spec.networking.clusterNetwork', 'overlap'];
    await refused('ranges', 'ValidConfiguration', ...fields);
    await destroy(product, 'ranges');
    await product.client.delete(corev1.secrets, { namespace, name: spec.pullSecret.name ?? '' });
  }, 120_000);

  it('When the release is unknown, it should be named, and a known one should bring the cluster up', async () => {
    expect.hasAssertions();
    await create(product, 'release', none, { releaseImage: embeddedReleaseImage('4.20.99') });
    await refused('release', 'ValidReleaseImage', '4.20.99');
    await patch('release', { release: { image: embeddedReleaseImage(embeddedReleases.at(-1)!.version) } });
    await created(product, 'release', none);
  }, 300_000);

  it('When the pull secret is none, its name but not its content should be told, and the right one should help', async () => {
    const key = { namespace, name: (await cluster('release')).spec.pullSecret.name ?? '' };
    const write = (text: string) =>
      product.client.patch(corev1.secrets, key, {
        type: 'merge',
        body: { data: { '.dockerconfigjson': base64(text) } },
      });
    const { data } = await product.client.get(corev1.secrets, key);
    await write('{"auths": hunter2');
    await eventually(async () => {
      const { status } = await cluster('release');
      const found = findCondition(status?.conditions, 'ValidConfiguration');
      expect(found).toMatchObject({ status: 'False' });
      expect(found?.message).toContain(key.name);
      expect(found?.message).toContain('spec.pullSecret');
      expect(JSON.stringify(status)).not.toContain('hunter2');
    });
    await write(Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString());
    await accepted('release', 'ValidConfiguration');
  }, 120_000);

  it('When a second cluster takes the infraID of another, it should be told whose it is, and leave nothing', async () => {
    const { spec } = await cluster('release');
    await create(product, 'second', none, { infraId: spec.infraID });
    await refused('second', 'ValidConfiguration', 'spec.infraID', `${namespace}/release`);
    await product.client.delete(hostedClusters, { namespace, name: 'second' });
    await eventually(async () => {
      const { items } = await product.client.list(hostedClusters, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['release']);
    });
    const left = (await objectKeys(store)).filter((one) => one.includes(`${namespace}-second`));
    expect(left).toEqual([]);
    await accepted('release', 'Available');
  }, 120_000);

  it('When a Secret named by the cluster is missing, field and name should be told until it is there', async () => {
    expect.hasAssertions();
    const name = 'late-key';
    await create(product, 'keys', none);
    await patch('keys', { additionalTrustBundle: { name } });
    await refused('keys', 'ValidConfiguration', 'spec.additionalTrustBundle', name);
    await product.client.create(corev1.configmaps, { metadata: { namespace, name }, data: { 'ca-bundle.crt': 'x' } });
    await accepted('keys', 'ValidConfiguration');
    await destroy(product, 'keys');
    await product.client.delete(corev1.configmaps, { namespace, name });
  }, 120_000);

  it('When a platform is not known, the API should name the field', async () => {
    const { spec } = await cluster('release');
    const body = { metadata: { namespace, name: 'nowhere' }, spec: { ...spec, platform: { type: 'Nowhere' } } };
    await expect(product.client.create(hostedClusters, body as never)).rejects.toThrow(/spec\.platform\.type.*Nowhere/);
  });

  it.runIf(isBuilt())('When a platform is not known, the command line should name those that are', async () => {
    const said = await promisify(execFile)(process.execPath, [
      program,
      'create',
      'cluster',
      'nowhere',
      '--name',
      'x',
    ]).then(
      () => 'it worked',
      ({ stderr }: { stderr: string }) => stderr,
    );
    expect(said).toContain('nowhere');
    expect(said).toContain('kubevirt');
  });

  it('When all of it is destroyed, nothing should be left', async () => {
    await destroy(product, 'release');
    // What belongs to the HostedCluster goes a moment after it.
    await eventually(async () => {
      const keys = (await objectKeys(store)).filter((key) => key.includes('clusters') && !key.includes('/events/'));
      expect(keys.filter((key) => !before.has(key))).toEqual([]);
    });
  }, 120_000);
});
