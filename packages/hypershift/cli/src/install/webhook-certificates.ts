import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { operatorName } from './access.ts';
import type { WebhookCertificates } from './options.ts';

const yearMs = 365 * 24 * 3_600_000;

/** Certificates for the webhook server, signed by an authority whose key nobody keeps. */
export async function webhookCertificates(namespace: string, now: number): Promise<WebhookCertificates> {
  const authority = await createAuthority({ subject: { commonName: 'hypershift-webhook-ca' }, now });
  const serving = await issue(authority, {
    role: 'server',
    subject: { commonName: `${operatorName}.${namespace}.svc` },
    dnsNames: [`${operatorName}.${namespace}.svc`, `${operatorName}.${namespace}.svc.cluster.local`],
    now,
    validFor: 5 * yearMs,
  });
  return {
    authorityPem: authority.certificatePem,
    certificatePem: serving.certificatePem,
    keyPem: serving.keyPem,
  };
}
