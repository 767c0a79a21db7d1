/** Settings of single platforms that need something else to be so. */
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { continuousMinor, type NodePoolCheck } from './facts.ts';

const capacityReservationSince = 19;

/** Capacity reservations came with 4.19. */
export const validateCapacityReservation: NodePoolCheck = ({ spec }, { controlPlaneVersion }) => {
  if (spec.platform.type !== 'AWS' || !spec.platform.aws?.placement?.capacityReservation) return [];
  const minor = controlPlaneVersion === undefined ? undefined : continuousMinor(controlPlaneVersion);
  if (minor === undefined || minor >= capacityReservationSince) return [];
  const field = 'spec.platform.aws.placement.capacityReservation';
  return [
    fieldError.forbidden(
      field,
      `needs a control plane of 4.${capacityReservationSince} or later, found ${controlPlaneVersion}`,
    ),
  ];
};

/** A virtual machine needs some network. */
export const validateKubeVirtNetworks: NodePoolCheck = ({ spec }) => {
  const kubevirt = spec.platform.type === 'KubeVirt' ? spec.platform.kubevirt : undefined;
  return kubevirt?.attachDefaultNetwork === false && (kubevirt.additionalNetworks ?? []).length === 0
    ? [
        fieldError.invalid(
          'spec.platform.kubevirt.attachDefaultNetwork',
          false,
          'the default network can be left out only with additionalNetworks',
        ),
      ]
    : [];
};
