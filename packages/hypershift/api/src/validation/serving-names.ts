/** Serving certificates of a user must not take over names that the API server serves with its own. */
import { X509Certificate } from 'node:crypto';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { lifeCycleAnnotations } from '../annotations/index.ts';
import type { HostedCluster } from '../hosted-cluster/index.ts';
import type { HostedClusterCheck } from './facts.ts';
import { defaultAdvertiseAddress } from './networking.ts';

function ownNames({ metadata, spec }: HostedCluster): ReadonlySet<string> {
  const services = ['kubernetes', 'openshift'].flatMap((name) => [
    name,
    `${name}.default`,
    `${name}.default.svc`,
    `${name}.default.svc.cluster.local`,
  ]);
  const advertised = spec.networking?.apiServer?.advertiseAddress;
  return new Set([
    'localhost',
    '127.0.0.1',
    '::1',
    ...services,
    `api.${metadata.name}.hypershift.local`,
    ...(advertised ? [advertised] : Object.values(defaultAdvertiseAddress)),
  ]);
}

/** Alternative names of a PEM certificate; none when it cannot be read, which is reported elsewhere. */
function namesOf(pem: string): readonly string[] {
  try {
    const text = new X509Certificate(pem).subjectAltName ?? '';
    return text.split(', ').map((entry) => entry.replace(/^(DNS|IP Address):/, ''));
  } catch {
    return [];
  }
}

function isExempt({ metadata, spec }: HostedCluster): boolean {
  const keys = [
    lifeCycleAnnotations.disablePkiReconciliation.key,
    lifeCycleAnnotations.skipKasConflictSanValidation.key,
  ];
  if (keys.some((key) => metadata.annotations?.[key] !== undefined)) return true;
  return spec.platform?.type === 'AWS' && (spec.platform.aws?.endpointAccess ?? 'Public') !== 'Public';
}

export const validateServingNames: HostedClusterCheck = (cluster, { secrets }) => {
  if (isExempt(cluster)) return [];
  const own = ownNames(cluster);
  const field = 'spec.configuration.apiServer.servingCerts.namedCertificates';
  const certificates = cluster.spec.configuration?.apiServer?.servingCerts?.namedCertificates ?? [];
  return certificates.flatMap(({ names = [], servingCertificate }, index) => {
    const pem = secrets?.get(servingCertificate?.name ?? '')?.['tls.crt'];
    const taken = [...names, ...(pem ? namesOf(pem) : [])].filter((name) => own.has(name));
    return [...new Set(taken)].map((name) =>
      fieldError.invalid(`${field}[${index}]`, name, 'conflicts with a name of the API server itself'),
    );
  });
};
