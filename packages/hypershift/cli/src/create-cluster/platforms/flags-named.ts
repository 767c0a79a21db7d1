import { type PlatformFlag, platformFor, type PlatformType } from '@hypershift-ts/hypershift-platforms';

/** Those flags of a platform that are about nodes: `create nodepool` takes them, too. */
export function flagsNamed(type: PlatformType, names: readonly string[]): readonly PlatformFlag[] {
  return platformFor(type).flags.filter(({ name }) => names.includes(name));
}
