/** Every platform whose machines can be said in both APIs. */
import { aws } from './aws/index.ts';
import { azure } from './azure/index.ts';
import { baremetal } from './baremetal/index.ts';
import { gcp } from './gcp/index.ts';
import { openstack } from './openstack/index.ts';
import type { PlatformConversion } from './platform-conversion.ts';
import { powervs } from './powervs/index.ts';
import { vsphere } from './vsphere/index.ts';

const conversions: readonly PlatformConversion[] = [aws, azure, baremetal, gcp, openstack, powervs, vsphere];

const byName = new Map(conversions.map((conversion) => [conversion.name, conversion]));

/** The names of all platforms with a conversion, as Infrastructure `cluster` spells them. */
export const convertiblePlatforms: readonly string[] = [...byName.keys()];

/** How machines of a platform are converted; undefined for platforms whose machines only one API can express. */
export function platformConversion(platform: string): PlatformConversion | undefined {
  return byName.get(platform);
}
