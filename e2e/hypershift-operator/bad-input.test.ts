import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage, embeddedReleases } from '@hypershift-ts/hypershift-release';
import { apiextensionsv1, appsv1, corev1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { providerCrds } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, OperatorUnderTest, releaseImage } from './operator-harness.ts';

let operator: OperatorUnderTest;
beforeAll(async () => {
  operator = await OperatorUnderTest.start();
  await operator.pullSecret();
}, 60_000);
afterAll(() => operator?.stop());

/** The condition says all of this, Available says it too, and there is no control plane. */
async function expectRefused(name: string, type: string, reason: string, ...words: readonly string[]): Promise<void> {
  await eventually(async () => {
    const found = await operator.condition(name, type);
    expect(found).toMatchObject({ status: 'False', reason });
    const available = await operator.condition(name, 'Available');
    expect(available?.status).toBe('False');
    for (const word of words) {
      expect(found?.message).toContain(word);
      expect(available?.message).toContain(word);
    }
  });
  const key = { namespace: `clusters-${name}`, name };
  await expect(operator.client.get(hostedControlPlanes, key)).rejects.toSatisfy(isNotFound);
}

const expectDescribed = (name: string) =>
  eventually(async () => {
    await operator.client.get(hostedControlPlanes, { namespace: `clusters-${name}`, name });
    expect(await operator.condition(name, 'ReconciliationSucceeded')).toMatchObject({ status: 'True' });
  });

describe('Bad input', () => {
  it('When the release image is unknown, it should name it, and go on when it is corrected', async () => {
    expect.hasAssertions();
    await operator.create('release', { release: { image: embeddedReleaseImage('4.20.99') } });
    await expectRefused('release', 'ValidReleaseImage', 'InvalidImage', '4.20.99');
    await operator.patch('release', { spec: { release: { image: releaseImage } } });
    await expectDescribed('release');
    await operator.remove('release');
  });

  it('When the pull secret is no pull secret, it should name it without its content, and go on when it is corrected', async () => {
    await operator.pullSecret('torn', '{"auths": hunter2');
    await operator.create('torn', { pullSecret: { name: 'torn' } });
    await expectRefused(
      'torn',
      'ValidConfiguration',
      'InvalidConfiguration',
      'spec.pullSecret',
      'torn',
      'it is not JSON',
    );
    expect((await operator.condition('torn', 'ValidConfiguration'))?.message).not.toContain('hunter2');
    const data = { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') };
    const key = { namespace: 'clusters', name: 'torn' };
    await operator.client.patch(corev1.secrets, key, { type: 'merge', body: { data } });
    await expectDescribed('torn');
    await operator.remove('torn');
  });

  it('When ranges overlap, it should name both fields', async () => {
    expect.hasAssertions();
    const networking = { clusterNetwork: [{ cidr: '10.0.0.0/14' }], serviceNetwork: [{ cidr: '10.1.0.0/16' }] };
    await operator.create('ranges', { networking });
    await expectRefused(
      'ranges',
      'ValidConfiguration',
      'InvalidConfiguration',
      'spec.networking.serviceNetwork',
      'spec.networking.clusterNetwork',
      'overlap',
    );
    await operator.remove('ranges');
  });

  it('When two clusters have one infraID, the younger should be refused until the older is gone', async () => {
    expect.hasAssertions();
    await operator.create('first', { infraID: 'same' });
    await expectDescribed('first');
    // Creation times have whole seconds; the name decides within one.
    await operator.create('second', { infraID: 'same' });
    await expectRefused(
      'second',
      'ValidConfiguration',
      'InvalidConfiguration',
      'spec.infraID',
      'clusters/first',
      'another infraID',
    );
    await operator.remove('first');
    await expectDescribed('second');
    await operator.remove('second');
  });

  it('When a referenced object is missing, it should name field and object, and go on when it appears', async () => {
    await operator.create('keys', { sshKey: { name: 'ssh' }, additionalTrustBundle: { name: 'bundle' } });
    await expectRefused('keys', 'ValidConfiguration', 'InvalidConfiguration', 'spec.additionalTrustBundle', 'bundle');
    await operator.client.create(corev1.configmaps, {
      metadata: { namespace: 'clusters', name: 'bundle' },
      data: { 'ca-bundle.crt': 'x' },
    });
    await eventually(async () => {
      const { message } = (await operator.condition('keys', 'ReconciliationSucceeded'))!;
      expect(message).toBe(
        'GlobalConfigSync: Secret ssh named by spec.sshKey does not exist; create it beside the HostedCluster',
      );
    });
    await operator.client.create(corev1.secrets, {
      metadata: { namespace: 'clusters', name: 'ssh' },
      data: { 'id_rsa.pub': 'eA==' },
    });
    await expectDescribed('keys');
    await operator.client.get(corev1.secrets, { namespace: 'clusters-keys', name: 'ssh-key' });
    await operator.remove('keys');
  });

  it('When the kinds of a platform are not installed, it should say so, and go on when they are', async () => {
    await operator.create('virtual', { platform: { type: 'KubeVirt', kubevirt: {} } });
    await eventually(async () => {
      const { message = '' } = (await operator.condition('virtual', 'Available')) ?? {};
      expect(message).toContain('KubevirtCluster clusters-virtual/virtual-');
      expect(message).toContain('is the CRD of KubevirtCluster in infrastructure.cluster.x-k8s.io/v1alpha1 installed?');
    });
    for (const crd of providerCrds('kubevirt'))
      await operator.client.create(apiextensionsv1.customresourcedefinitions, crd as never);
    await expectDescribed('virtual');
    await operator.remove('virtual');
  }, 40_000);

  it('When a shared ConfigMap changes, every control plane should get it', async () => {
    await operator.create('shared');
    await expectDescribed('shared');
    const key = { namespace: 'hypershift', name: 'sre-metric-set' };
    await operator.client.create(corev1.configmaps, { metadata: key, data: { config: 'one' } });
    await eventually(async () => {
      const copy = await operator.client.get(corev1.configmaps, { namespace: 'clusters-shared', name: key.name });
      expect(copy.data).toEqual({ config: 'one' });
    });
    await operator.remove('shared');
  });

  it('When two clusters want one namespace, the second should be told whose it is, and deleting it should leave it', async () => {
    await operator.client.create(corev1.namespaces, {
      metadata: {
        name: 'clusters-taken',
        annotations: { 'hypershift.openshift.io/cluster': 'clusters-ta/ken' },
      },
    });
    await operator.create('taken');
    await eventually(async () => {
      const available = await operator.condition('taken', 'Available');
      expect(available?.message).toContain(
        'Namespace clusters-taken holds the control plane of HostedCluster clusters-ta/ken',
      );
    });
    await operator.remove('taken', { namespace: 'stays' });
    await operator.client.get(corev1.namespaces, { name: 'clusters-taken' });
  });

  it('When an upgrade would skip a minor, it should be refused and the control plane stay as it is', async () => {
    await operator.create('skip');
    await expectDescribed('skip');
    const key = { namespace: 'clusters-skip', name: 'skip' };
    const from = embeddedReleases[0]!.version;
    const entry = { state: 'Completed', image: releaseImage, version: from, verified: false };
    const times = { startedTime: '2026-01-01T00:00:00Z', completionTime: '2026-01-01T00:10:00Z' };
    const versionStatus = {
      desired: { image: releaseImage, version: from },
      history: [{ ...entry, ...times }],
      observedGeneration: 1,
      availableUpdates: [],
    };
    await operator.client.patch(
      hostedControlPlanes,
      key,
      { type: 'merge', body: { status: { versionStatus } } },
      { subresource: 'status' },
    );
    await eventually(async () => {
      const { status } = await operator.get('skip');
      expect(status?.version?.history).toMatchObject([{ state: 'Completed', version: from }]);
      expect(await operator.condition('skip', 'Progressing')).toMatchObject({ status: 'False', reason: 'AsExpected' });
    });
    const far = embeddedReleases.find(({ version }) => version.startsWith('4.20.'))!.version;
    await operator.patch('skip', { spec: { release: { image: embeddedReleaseImage(far) } } });
    await eventually(async () => {
      const progressing = await operator.condition('skip', 'Progressing');
      expect(progressing).toMatchObject({ status: 'False', reason: 'Blocked' });
      expect(progressing?.message).toContain('skips 4.19');
    });
    expect((await operator.client.get(hostedControlPlanes, key)).spec.releaseImage).toBe(releaseImage);
    const next = embeddedReleaseImage(embeddedReleases.find(({ version }) => version.startsWith('4.19.'))!.version);
    await operator.patch('skip', { spec: { release: { image: next } } });
    await eventually(async () => {
      expect((await operator.client.get(hostedControlPlanes, key)).spec.releaseImage).toBe(next);
      expect(await operator.condition('skip', 'Progressing')).toMatchObject({ status: 'True', reason: 'Progressing' });
      // The new control plane operator takes over, and the old one sees that it is not meant any more.
      const own = { namespace: 'clusters-skip', name: 'control-plane-operator' };
      const { spec } = await operator.client.get(appsv1.deployments, own);
      const [container] = spec?.template.spec?.containers ?? [];
      expect(container?.image).toBe(`registry.hypershift-ts.io/release/hypershift:${next.split(':')[1]}`);
      expect(container?.env).toContainEqual({ name: 'OPERATE_ON_RELEASE_IMAGE', value: next });
    });
    await operator.remove('skip');
  });
});
