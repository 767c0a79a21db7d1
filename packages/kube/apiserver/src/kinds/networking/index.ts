import type { KindBehaviour } from '../behaviour.ts';
import { ingress } from './ingress.ts';
import { ingressClass } from './ingress-class.ts';
import { networkPolicy } from './network-policy.ts';
import { ipAddress, serviceCidr } from './service-addresses.ts';

export const networkingKinds: Readonly<Record<string, KindBehaviour>> = {
  'ingressclasses.networking.k8s.io': ingressClass,
  'ingresses.networking.k8s.io': ingress,
  'ipaddresses.networking.k8s.io': ipAddress,
  'networkpolicies.networking.k8s.io': networkPolicy,
  'servicecidrs.networking.k8s.io': serviceCidr,
};
