import type { PlatformBuilder } from '../platform-builder.ts';
import { agent } from './agent.ts';
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { gcp } from './gcp.ts';
import { ibmcloud } from './ibmcloud.ts';
import { kubevirt } from './kubevirt.ts';
import { none } from './none.ts';
import { openstack } from './openstack.ts';
import { powervs } from './powervs.ts';

/** Every platform clusters can be created on. */
export const platformBuilders: readonly PlatformBuilder[] = [
  none,
  aws,
  azure,
  gcp,
  kubevirt,
  agent,
  openstack,
  powervs,
  ibmcloud,
];
