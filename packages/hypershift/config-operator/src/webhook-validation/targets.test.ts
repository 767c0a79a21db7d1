import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { forbiddenTarget } from './targets.ts';

const label = 'hypershift.openshift.io/allow-guest-webhooks';
const services = [
  { metadata: { name: 'etcd-client', namespace: 'clusters-demo' }, spec: { clusterIP: '10.0.0.5' } },
  { metadata: { name: 'open', namespace: 'clusters-demo', labels: { [label]: 'true' } } },
] as unknown as readonly corev1.Service[];
const configuration = (url?: string) =>
  ({ metadata: {}, webhooks: [{ name: 'w', clientConfig: url ? { url } : {} }] }) as never;

describe('forbiddenTarget', () => {
  it.each([
    ['https://etcd-client:2379/x', 'etcd-client'],
    ['https://etcd-client.clusters-demo.svc/x', 'etcd-client'],
    ['https://ETCD-CLIENT.clusters-demo.svc.cluster.local', 'etcd-client'],
    ['https://10.0.0.5/x', 'etcd-client'],
    ['https://etcd-client.example.com/x', undefined],
    ['https://open.clusters-demo.svc/x', undefined],
    ['not a url', undefined],
    [undefined, undefined],
  ])('When a webhook calls %s, it should reach %s', (url, service) => {
    expect(forbiddenTarget(configuration(url), services, label)?.service).toBe(service);
  });
});
