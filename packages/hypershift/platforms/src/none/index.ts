/** No platform: a control plane without machines; nodes join by hand. */
import type { Platform } from '../platform.ts';
import { plainPlatform } from '../shared/plain-platform.ts';
import { noneGuest } from './guest.ts';

export const none: Platform = plainPlatform('None', {
  guest: noneGuest,
  flags: [
    {
      name: 'external-api-server-address',
      value: 'string',
      description: 'Address of the API server for clients outside.',
    },
    {
      name: 'expose-through-load-balancer',
      value: 'boolean',
      description: 'Publish through load balancers, not node ports.',
    },
  ],
});
