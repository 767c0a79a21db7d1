import { serviceNames } from '../facts.ts';
import type { LeafSpec } from './specs.ts';

const metrics = (secret: string, service: string, namespace: string): LeafSpec => ({
  secret,
  signer: 'root-ca',
  commonName: service,
  organizations: ['openshift'],
  role: 'peer',
  dnsNames: [...serviceNames(service, namespace), 'localhost'],
});

/** A webhook that kube-apiserver calls in its own pod. */
const localWebhook = (secret: string): LeafSpec => ({
  secret,
  signer: 'root-ca',
  commonName: '127.0.0.1',
  organizations: [],
  role: 'peer',
  ipAddresses: ['127.0.0.1'],
});

/** Serving certificates of components that only AWS clusters have. */
export function awsLeaves(namespace: string): readonly LeafSpec[] {
  return [
    localWebhook('aws-pod-identity-webhook-serving-cert'),
    metrics('aws-ebs-csi-driver-operator-serving-cert', 'aws-ebs-csi-driver-operator-metrics', namespace),
    metrics('aws-ebs-csi-driver-controller-metrics-serving-cert', 'aws-ebs-csi-driver-controller-metrics', namespace),
  ];
}

/** Serving certificates of components that only Azure clusters have. */
export function azureLeaves(namespace: string): readonly LeafSpec[] {
  return [
    localWebhook('azure-workload-identity-webhook-serving-cert'),
    metrics('azure-disk-csi-driver-operator-serving-cert', 'azure-disk-csi-driver-operator', namespace),
    metrics('azure-disk-csi-driver-controller-metrics-serving-cert', 'azure-disk-csi-driver-controller', namespace),
    metrics('azure-file-csi-driver-operator-serving-cert', 'azure-file-csi-driver-operator', namespace),
    metrics('azure-file-csi-driver-controller-metrics-serving-cert', 'azure-file-csi-driver-controller', namespace),
  ];
}
