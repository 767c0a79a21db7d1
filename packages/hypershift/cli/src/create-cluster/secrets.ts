import { labels } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ClusterRequest } from './request.ts';

type Named = Pick<ClusterRequest, 'name' | 'namespace'>;

export const trustBundleName = 'user-ca-bundle';
export const pullSecretName = ({ name }: Named) => `${name}-pull-secret`;
export const sshSecretName = ({ name }: Named) => `${name}-ssh-key`;
export const encryptionKeyName = ({ name }: Named) => `${name}-etcd-encryption-key`;

export const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

/** A Secret of the cluster, made by the command line and removed with the cluster. */
export function clusterSecret(
  { namespace }: Named,
  name: string,
  data: { readonly [key: string]: string },
  type?: string,
): corev1.Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { [labels.safeToDeleteWithCluster.key]: 'true' } },
    ...(type ? { type } : {}),
    data,
  };
}

export function pullSecret(request: ClusterRequest): corev1.Secret {
  return clusterSecret(request, pullSecretName(request), { '.dockerconfigjson': base64(request.pullSecretContent) });
}

export function sshSecret(request: ClusterRequest): corev1.Secret | undefined {
  if (!request.ssh) return undefined;
  const { publicKey, privateKey } = request.ssh;
  return clusterSecret(request, sshSecretName(request), {
    'id_rsa.pub': base64(publicKey),
    ...(privateKey ? { id_rsa: base64(privateKey) } : {}),
  });
}

export function etcdEncryptionSecret(request: ClusterRequest): corev1.Secret {
  return clusterSecret(request, encryptionKeyName(request), { key: request.etcdEncryptionKey }, 'Opaque');
}

export function trustBundle(request: ClusterRequest): corev1.ConfigMap | undefined {
  if (!request.trustBundleContent) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: trustBundleName, namespace: request.namespace },
    data: { 'ca-bundle.crt': request.trustBundleContent },
  };
}
