import { guestSide } from '../guest.ts';

/** Nobody makes load balancers or disks here. */
export const noneGuest = guestSide({
  ingressPublishing: () => ({ type: 'HostNetwork' }),
  registry: { spec: { storage: { emptyDir: {} } } },
});
