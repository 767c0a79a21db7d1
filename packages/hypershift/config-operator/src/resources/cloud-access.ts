import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import { base64, hasCapability } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

/** Credentials with which operators of the hosted cluster reach the cloud. */
export const cloudAccess: ResourceGroup = {
  name: 'cloud-access',
  objects: ({ hcp, platform, secret }) =>
    platform.guest
      .credentials({ hcp, secret })
      .filter(({ capability }) => !capability || hasCapability(hcp, capability))
      .map(({ namespace, name, data }) =>
        kept(
          corev1.secrets,
          { namespace, name },
          {
            type: 'Opaque',
            data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
          },
        ),
      ),
};
