import { embeddedReleases } from '@hypershift-ts/hypershift-release';
import { type OperatingSystem, operatingSystemOf } from '@hypershift-ts/machines-providers';

/** What nodes with an image of an embedded release say they run: the kubelet of that release. */
export function embeddedOperatingSystem(image: string): OperatingSystem {
  const version = /:([^/:@]+)$/.exec(image)?.[1];
  const release = embeddedReleases.find((one) => one.version === version);
  if (!release) return operatingSystemOf(image);
  return {
    osImage: `Red Hat Enterprise Linux CoreOS ${version} (simulated)`,
    kubeletVersion: `v${release.kubernetes}`,
  };
}
