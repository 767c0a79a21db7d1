import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { type corev1, formatTime } from '@hypershift-ts/kube-apimachinery';
import { createAuthority, day, issue } from '@hypershift-ts/kube-pki';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

/** Secret that the managers of Cluster API mount, although nobody calls their webhooks. */
export const webhookSecretName = 'capi-webhooks-tls';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

const validFor = 3649 * day;
const renewBefore = 30 * day;
/** As OpenShift's rotation library writes it. */
const notAfter = 'auth.openshift.io/certificate-not-after';

/**
 * Whether the certificate has less than the thirty days left after which leaves are renewed. Validities that users ask
 * for are about certificates of the control plane; nobody connects by this one.
 */
export function isWebhookSecretDue({ metadata }: Pick<corev1.Secret, 'metadata'>, now: number): boolean {
  const told = Date.parse(metadata.annotations?.[notAfter] ?? '');
  const end = Number.isNaN(told) ? Date.parse(metadata.creationTimestamp ?? '') + validFor : told;
  return end - now < renewBefore;
}

/**
 * A certificate for webhooks that are never called: the managers refuse to start without one. Nothing else trusts its
 * CA, so that one's key is forgotten and both are made anew together.
 */
export async function webhookSecret(cluster: HostedCluster, now: number): Promise<corev1.Secret> {
  const authority = await createAuthority({ subject: { commonName: 'capi-webhooks' }, now });
  const leaf = await issue(authority, {
    subject: { commonName: 'unused' },
    dnsNames: ['unused'],
    role: 'server',
    now,
    validFor,
  });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: webhookSecretName,
      namespace: controlPlaneNamespaceOf(cluster),
      annotations: { ...belongsTo(cluster), [notAfter]: formatTime(leaf.certificate.notAfter) },
    },
    type: 'Opaque',
    data: {
      'ca.crt': encoded(authority.certificatePem),
      'tls.crt': encoded(leaf.certificatePem),
      'tls.key': encoded(leaf.keyPem),
    },
  };
}
