import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { EventTexts } from '../../infrastructure/status.ts';
import type { Pass } from '../pass.ts';
import { warningsAbout } from './warnings.ts';

/** A load balancer gets this long before anybody asks what keeps it. */
const patienceMs = 3000;

/** What the cluster says about Services that wait for a load balancer. Asked only while some have waited for a while. */
export async function serviceWarnings(pass: Pass): Promise<EventTexts> {
  const waiting = pass.lookup.list(corev1.services).filter(({ metadata, spec, status }) => {
    const age = pass.now - Date.parse(metadata.creationTimestamp ?? '');
    return spec?.type === 'LoadBalancer' && !status?.loadBalancer?.ingress?.length && age > patienceMs;
  });
  const texts = new Map<string, readonly string[]>();
  for (const { metadata } of waiting) {
    texts.set(metadata.name ?? '', await warningsAbout(pass, 'Service', metadata.name ?? ''));
  }
  return (service) => texts.get(service) ?? [];
}
