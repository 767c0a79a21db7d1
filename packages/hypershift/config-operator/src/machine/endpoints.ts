import { type corev1, type discoveryv1, parseIP } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';

/** Who made the EndpointSlices, for those who clean up. */
export const managedBy = 'control-plane-operator.hypershift.openshift.io';

type Family = 'IPv4' | 'IPv6';

function familyOf(address: string): Family | undefined {
  if (!parseIP(address)) return undefined;
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** The first address of a family under which the machine is reached; link-local ones are not. */
function addressOf({ status }: capiv1beta1.Machine, family: Family): string | undefined {
  return status?.addresses
    ?.filter(({ type }) => type === 'InternalIP')
    .map(({ address }) => address)
    .find((address) => familyOf(address) === family && !/^(169\.254\.|fe80:)/i.test(address));
}

/** EndpointSlices by which a Service beside the control plane reaches the router on one machine. */
export function machineEndpoints(
  service: corev1.Service,
  machine: capiv1beta1.Machine,
): readonly NewObject<discoveryv1.EndpointSlice>[] {
  const { name = '', namespace = '' } = service.metadata;
  const families = (service.spec?.ipFamilies ?? ['IPv4']) as readonly Family[];
  const isRunning = machine.status?.phase === 'Running' && !machine.metadata.deletionTimestamp;
  return families.map((family) => {
    const address = addressOf(machine, family);
    return {
      metadata: {
        namespace,
        name: `${name}-${machine.metadata.name}-${family.toLowerCase()}`,
        labels: { 'kubernetes.io/service-name': name, 'endpointslice.kubernetes.io/managed-by': managedBy },
      },
      addressType: family,
      endpoints: address
        ? [
            {
              addresses: [address],
              conditions: {
                ready: isRunning,
                serving: isRunning,
                terminating: Boolean(machine.metadata.deletionTimestamp),
              },
            },
          ]
        : [],
      ports: (service.spec?.ports ?? []).map(({ name: port, protocol, targetPort }) => ({
        ...(port ? { name: port } : {}),
        ...(protocol ? { protocol } : {}),
        port: Number(targetPort),
      })),
    };
  });
}
