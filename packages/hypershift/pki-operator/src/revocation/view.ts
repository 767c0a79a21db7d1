import { createHash } from 'node:crypto';
import type { CertificateRevocationRequest } from '@hypershift-ts/hypershift-api';
import { totalClientCa } from '@hypershift-ts/hypershift-control-plane-pki';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { authorityOf, certificateOf, readableIn } from '../pem-objects.ts';
import { isSignerClass, signerObjects } from '../signer-class.ts';
import type { RevocationView } from './step.ts';

/** The Secret a request copies its signer to: a name of its own that fits whatever the request is called. */
export function previousSignerName(request: string): string {
  const digest = createHash('sha224').update(request).digest('hex');
  return BigInt(`0x${digest}`).toString(36);
}

/** Reads what a revocation depends on; from the cache alone. */
export function revocationView(
  request: CertificateRevocationRequest,
  cache: InformerCache,
  now: number,
): RevocationView {
  const namespace = request.metadata.namespace ?? '';
  const scope = { namespace };
  const { signerClass } = request.spec;
  const names = isSignerClass(signerClass) ? signerObjects(signerClass) : undefined;
  const secret = (name: string) => cache.get(corev1.secrets, { namespace, name }, scope);
  const configMap = (name: string) => cache.get(corev1.configmaps, { namespace, name }, scope);
  const previous = previousSignerName(request.metadata.name ?? '');
  return {
    namespace,
    request,
    now,
    signer: names && authorityOf(secret(names.signer))?.certificate,
    previous: { name: previous, certificate: authorityOf(secret(previous))?.certificate },
    bundle: names ? readableIn(configMap(names.bundle)) : [],
    totalBundle: readableIn(configMap(totalClientCa.configMap)),
    leaves: cache.list(corev1.secrets, namespace, scope).flatMap((candidate) => {
      const certificate = certificateOf(candidate);
      if (!certificate || certificate.isCa) return [];
      return [{ secret: candidate.metadata.name ?? '', certificate }];
    }),
  };
}
