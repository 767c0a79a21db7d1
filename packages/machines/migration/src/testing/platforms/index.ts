/** One case for each platform that has a conversion. */
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { baremetal } from './baremetal.ts';
import { gcp } from './gcp.ts';
import { openstack } from './openstack.ts';
import type { PlatformCase } from './platform-case.ts';
import { powervs } from './powervs.ts';
import { vsphere } from './vsphere.ts';

export const platformCases: readonly PlatformCase[] = [aws, azure, baremetal, gcp, openstack, powervs, vsphere];
export type { PlatformCase };
