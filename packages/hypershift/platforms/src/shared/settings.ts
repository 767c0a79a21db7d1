import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import { PlatformError } from '../errors.ts';

type PlatformSpec = HostedCluster['spec']['platform'];
type Member = Exclude<keyof PlatformSpec, 'type'>;

/** The settings of the platform, which the CRD lets a user forget. */
export function settingsOf<M extends Member>(platform: PlatformSpec, member: M): NonNullable<PlatformSpec[M]> {
  const settings = platform[member];
  if (settings !== undefined) return settings;
  throw new PlatformError('PLATFORM_SETTINGS_MISSING', {
    message: `${platform.type} platform configuration is missing`,
    fix: `set spec.platform.${member}`,
    field: `spec.platform.${member}`,
  });
}

/** The infrastructure ID; every step that needs it runs after it was written. */
export function infraIDOf({
  spec,
  metadata,
}: {
  readonly spec: { readonly infraID?: string };
  readonly metadata: { readonly name?: string };
}): string {
  if (spec.infraID) return spec.infraID;
  throw new PlatformError('PLATFORM_SETTING_INVALID', {
    message: `${metadata.name ?? 'the cluster'} has no infrastructure ID yet`,
    fix: 'wait until the operator has set spec.infraID, or set it',
    field: 'spec.infraID',
  });
}

type PoolPlatform = NodePool['spec']['platform'];
type PoolMember = Exclude<keyof PoolPlatform, 'type'>;

/** The settings of a pool's platform, which the CRD lets a user forget. */
export function poolSettingsOf<M extends PoolMember>(platform: PoolPlatform, member: M): NonNullable<PoolPlatform[M]> {
  const settings = platform[member];
  if (settings !== undefined) return settings;
  throw new PlatformError('PLATFORM_SETTINGS_MISSING', {
    message: `NodePool has no settings for platform ${platform.type}; set spec.platform.${member}`,
    fix: `set spec.platform.${member}`,
    field: `spec.platform.${member}`,
  });
}
