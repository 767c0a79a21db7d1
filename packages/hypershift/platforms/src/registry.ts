import { agent } from './agent/index.ts';
import { aws } from './aws/index.ts';
import { azure } from './azure/index.ts';
import { PlatformError } from './errors.ts';
import { gcp } from './gcp/index.ts';
import { ibmcloud } from './ibmcloud/index.ts';
import { kubevirt } from './kubevirt/index.ts';
import { none } from './none/index.ts';
import { openstack } from './openstack/index.ts';
import type { Platform, PlatformType } from './platform.ts';
import { powervs } from './powervs/index.ts';

/** Every platform. Adding one adds its folder and its line here. */
export const platforms: readonly Platform[] = [aws, azure, gcp, kubevirt, agent, openstack, ibmcloud, powervs, none];

const byType = new Map<string, Platform>(platforms.map((platform) => [platform.type, platform]));

/** The platform of a type: the only place where a platform is chosen by name. */
export function platformFor(type: PlatformType): Platform {
  const found = byType.get(type);
  if (found) return found;
  throw new PlatformError('PLATFORM_UNSUPPORTED', {
    message: `unsupported platform: ${type}`,
    fix: `use one of ${[...byType.keys()].join(', ')}`,
    field: 'spec.platform.type',
  });
}
