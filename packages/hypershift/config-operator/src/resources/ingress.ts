import { annotations, openshift } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import { hasCapability, ingressDomainOf } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

const certificateName = 'default-ingress-cert';

/** The first router and its certificate. Users change the router afterwards, so it is only ever made. */
export const ingressController: ResourceGroup = {
  name: 'ingress',
  objects({ hcp, platform, secret }) {
    if (!hasCapability(hcp, 'Ingress')) return [];
    const { guest } = platform;
    const isPrivate = hcp.metadata.annotations?.[annotations.privateIngressController.key] === 'true';
    const configured = hcp.spec.operatorConfiguration?.ingressOperator?.endpointPublishingStrategy;
    const publishing = configured ?? (isPrivate ? { type: 'Private', private: {} } : guest.ingressPublishing(hcp));
    const replicas = hcp.spec.infrastructureAvailabilityPolicy === 'HighlyAvailable' ? 2 : 1;
    const certificate = guest.ingressCertificate ? secret('ingress-crt') : undefined;
    return [
      kept(
        openshift.ingressControllers,
        { namespace: 'openshift-ingress-operator', name: 'default' },
        {
          spec: {
            domain: ingressDomainOf(hcp),
            replicas,
            endpointPublishingStrategy: publishing,
            ...(guest.ingressCertificate ? { defaultCertificate: { name: certificateName } } : {}),
            ...guest.ingressController,
          },
        },
        { keeping: 'create' },
      ),
      ...(certificate?.data
        ? [
            kept(
              corev1.secrets,
              { namespace: 'openshift-ingress', name: certificateName },
              { data: { 'tls.crt': certificate.data['tls.crt'], 'tls.key': certificate.data['tls.key'] } },
            ),
          ]
        : []),
    ];
  },
};
