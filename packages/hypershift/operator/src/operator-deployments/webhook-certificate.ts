import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { createAuthority, day, issue } from '@hypershift-ts/kube-pki';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

/** Secret that the managers of Cluster API mount, although nobody calls their webhooks. */
export const webhookSecretName = 'capi-webhooks-tls';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/**
 * A certificate for webhooks that are never called: the managers refuse to start without one. It is made once and
 * outlives every cluster, so its CA key is forgotten.
 */
export async function webhookSecret(cluster: HostedCluster, now: number): Promise<corev1.Secret> {
  const authority = await createAuthority({ subject: { commonName: 'capi-webhooks' }, now });
  const leaf = await issue(authority, {
    subject: { commonName: 'unused' },
    dnsNames: ['unused'],
    role: 'server',
    now,
    validFor: 3649 * day,
  });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: webhookSecretName,
      namespace: controlPlaneNamespaceOf(cluster),
      annotations: belongsTo(cluster),
    },
    type: 'Opaque',
    data: {
      'ca.crt': encoded(authority.certificatePem),
      'tls.crt': encoded(leaf.certificatePem),
      'tls.key': encoded(leaf.keyPem),
    },
  };
}
