import { X509Certificate } from 'node:crypto';
import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import { certificatesv1 as certificates } from '@hypershift-ts/kube-apimachinery';
import { controller, deleteIfPresent } from '@hypershift-ts/kube-controller';
import { timeOf } from '../workload/pod-state.ts';

type Csr = certificatesv1.CertificateSigningRequest;

const hour = 3_600_000;

/** When a request has served its purpose. */
function obsoleteAt({ metadata, status }: Csr): number {
  const settled = status?.conditions?.find(({ type }) => ['Approved', 'Denied', 'Failed'].includes(type));
  const times = [
    settled
      ? timeOf(settled.lastUpdateTime ?? metadata.creationTimestamp) + hour
      : timeOf(metadata.creationTimestamp) + 24 * hour,
  ];
  if (status?.certificate) {
    try {
      times.push(Date.parse(new X509Certificate(Buffer.from(status.certificate, 'base64')).validTo));
    } catch {
      // Not a certificate we can read: age alone decides.
    }
  }
  return Math.min(...times);
}

/** Deletes requests nobody needs any more: settled ones after an hour, forgotten ones after a day. */
export const csrCleanerController = controller({
  name: 'certificatesigningrequest-cleaner-controller',
  // What becomes of a request is looked at every hour, before which none is obsolete; its changes are no news.
  for: { type: certificates.certificatesigningrequests, predicate: { updated: () => false, deleted: () => false } },
  async reconcile(key, { cache, client, clock }) {
    const csr = cache.get(certificates.certificatesigningrequests, key);
    if (!csr) return undefined;
    const wait = obsoleteAt(csr) - clock.now();
    if (wait > 0) return { requeueAfterMs: Math.min(wait, hour) };
    await deleteIfPresent(client, certificates.certificatesigningrequests, key);
    return undefined;
  },
});
