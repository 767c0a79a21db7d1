import { openshift } from '@hypershift-ts/hypershift-api';
import { kept } from '../guest/guest-object.ts';
import { hasCapability } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

/** The internal registry: begun with what the platform can do, changed by users afterwards. */
export const imageRegistry: ResourceGroup = {
  name: 'image-registry',
  objects({ hcp, platform, seen, randomBytes }) {
    if (!hasCapability(hcp, 'ImageRegistry')) return [];
    const { spec, waitsForOperator } = platform.guest.registry;
    if (waitsForOperator && !seen(openshift.imageRegistrys, { name: 'cluster' })) return [];
    const replicas = hcp.spec.infrastructureAvailabilityPolicy === 'HighlyAvailable' ? 2 : 1;
    return [
      kept(
        openshift.imageRegistrys,
        { name: 'cluster' },
        {
          spec: {
            replicas,
            managementState: 'Managed',
            rolloutStrategy: 'RollingUpdate',
            httpSecret: Buffer.from(randomBytes(64)).toString('hex'),
            ...spec,
          },
        },
        { keeping: 'create' },
      ),
    ];
  },
};
