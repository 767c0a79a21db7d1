import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { aHostedCluster, aNodePool } from '../testing/builders.ts';
import { type AdmissionRequest, webhookConfigurations, webhooks } from './index.ts';

const context = {
  random: () => 0.5,
  uuid: () => '2f3c5d0e-9d3b-4c48-9b8c-0d5b3c1f2a11',
  releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.21.0-multi',
  hostedCluster: async (namespace: string, name: string) =>
    namespace === 'clusters' && name === 'demo' ? aHostedCluster() : undefined,
};

function review(path: string, object: KubeObject, oldObject?: KubeObject) {
  const request: AdmissionRequest = {
    uid: 'u1',
    operation: oldObject ? 'UPDATE' : 'CREATE',
    object,
    oldObject: oldObject ?? null,
  };
  const webhook = webhooks.find((one) => one.path === `/${path}`)!;
  return webhook.review(request, context);
}

const patchOf = (patch: string | undefined): unknown => JSON.parse(Buffer.from(patch ?? '', 'base64').toString());

describe('mutating webhooks', () => {
  it('When a HostedCluster names no release, it should patch one in', async () => {
    const answer = await review(
      'mutate-hypershift-openshift-io-v1beta1-hostedcluster',
      aHostedCluster({ release: { image: '' } }),
    );
    expect(patchOf(answer.patch)).toMatchObject([
      { op: 'replace', path: '/spec', value: { release: { image: context.releaseImage } } },
    ]);
  });

  it('When a NodePool is complete, it should not touch it', async () => {
    const answer = await review('mutate-hypershift-openshift-io-v1beta1-nodepool', aNodePool());
    expect(answer).toEqual({ uid: 'u1', allowed: true });
  });

  it('When the cluster of a NodePool is unknown, it should refuse with the field named', async () => {
    const pool = aNodePool({ release: { image: '' }, clusterName: 'other' });
    const answer = await review('mutate-hypershift-openshift-io-v1beta1-nodepool', pool);
    expect(answer).toMatchObject({ allowed: false, status: { message: 'spec.clusterName: Not found: "other"' } });
  });
});

describe('validating webhooks', () => {
  const path = 'validate-hypershift-openshift-io-v1beta1-hostedcluster';

  it('When something cannot work that the CRD accepts, it should warn', async () => {
    const answer = await review(path, aHostedCluster({ secretEncryption: { type: 'kms' } }));
    expect(answer).toMatchObject({
      allowed: true,
      warnings: ['spec.secretEncryption.kms: Required value: type is kms'],
    });
  });

  it('When a fixed field changes, it should refuse', async () => {
    const before = aHostedCluster();
    const after = {
      ...before,
      spec: { ...before.spec, networking: { ...before.spec.networking, networkType: 'Calico' as const } },
    };
    expect(await review(path, after, before)).toMatchObject({
      allowed: false,
      status: { code: 422, reason: 'Invalid' },
    });
  });

  it('When there is no spec at all, it should warn and not fail', async () => {
    const empty = { ...aHostedCluster(), spec: undefined } as unknown as KubeObject;
    expect(await review(path, empty)).toMatchObject({ allowed: true, warnings: ['spec: Required value'] });
  });
});

describe('webhookConfigurations', () => {
  it('When registered, it should use the names, paths and limits of upstream', () => {
    const { mutating, validating } = webhookConfigurations({
      namespace: 'hypershift',
      name: 'operator',
      port: 443,
      caBundle: 'Q0E=',
    });
    expect(mutating.metadata.name).toBe('hypershift.openshift.io');
    expect(mutating.webhooks.map(({ clientConfig }) => clientConfig.service.path)).toEqual([
      '/mutate-hypershift-openshift-io-v1beta1-hostedcluster',
      '/mutate-hypershift-openshift-io-v1beta1-nodepool',
    ]);
    expect(validating.webhooks).toMatchObject([
      { failurePolicy: 'Fail', timeoutSeconds: 15, sideEffects: 'None' },
      { failurePolicy: 'Fail', timeoutSeconds: 15, sideEffects: 'None' },
    ]);
  });
});
