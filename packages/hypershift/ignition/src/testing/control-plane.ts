import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { WorkerImages } from '../payload/payload-inputs.ts';
import { secretData } from '../token/names.ts';
import { configurationHash, desiredTokenSecret, type TokenSecretInputs } from '../token/token-secret.ts';
import { ClusterPayloadSource } from '../token-controller/payload-source.ts';
import { aPayloadInputs, aRawConfig } from './payload-inputs.ts';

export const namespace = 'clusters-example';
const pullSecret = '{"auths":{}}';
const configuration = { proxy: {} };

/** Writes what the ignition server reads of a control plane. */
export async function writeControlPlane(client: Client): Promise<void> {
  await client.create(
    { group: '', version: 'v1', kind: 'Namespace', resource: 'namespaces', namespaced: false },
    {
      metadata: { name: namespace },
    },
  );
  const metadata = (name: string) => ({ name, namespace });
  await client.create(corev1.secrets, {
    metadata: metadata('pull-secret'),
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': secretData(pullSecret) },
  });
  await client.create(corev1.secrets, {
    metadata: metadata('bootstrap-kubeconfig'),
    data: { kubeconfig: secretData('apiVersion: v1\nkind: Config\n') },
  });
  await client.create(corev1.configmaps, {
    metadata: metadata('machine-config-server'),
    data: {
      'configuration-hash': configurationHash(configuration),
      'signer-ca.crt': 'PEM',
      'cluster-network-02-config.yaml': 'spec: { serviceNetwork: [172.31.0.0/16] }',
    },
  });
}

const workerImages: WorkerImages = aPayloadInputs().images;

export const payloadSource = (client: Client): ClusterPayloadSource =>
  new ClusterPayloadSource({ client, namespace, imagesOf: () => Promise.resolve(workerImages) });

export function aTokenSecretInputs(change: Partial<TokenSecretInputs> = {}): TokenSecretInputs {
  return {
    namespace,
    nodePool: { namespace: 'clusters', name: 'workers' },
    upgradeType: 'Replace',
    hash: 'bb196408',
    releaseImage: 'quay.io/example/release:4.20.1',
    releaseVersion: '4.20.1',
    rawConfig: aRawConfig(),
    pullSecret: Buffer.from(pullSecret),
    additionalTrustBundle: '',
    configurationHash: configurationHash(configuration),
    osStream: 'rhel-9',
    cloudConfigHash: '',
    ...change,
  };
}

/** A token Secret that the API server will accept as new. */
export function aTokenSecret(change: Partial<TokenSecretInputs> = {}, fresh = { now: Date.now(), token: 'token-1' }) {
  return desiredTokenSecret(aTokenSecretInputs(change), undefined, fresh);
}
