import { kubernetesVersion } from '@hypershift-ts/kube-apimachinery';

/** What a node says about the system it runs. */
export interface OperatingSystem {
  readonly osImage: string;
  readonly kubeletVersion: string;
}

/** Kubernetes 1.13 came with OpenShift 4.0, and they count together since. */
const minorsApart = 13;

/** Reads an operating system image by its tag, as the embedded releases have it; other images tell nothing. */
export function operatingSystemOf(image: string): OperatingSystem {
  const [, minor, patch] = /:4\.(\d+)\.(\d+)[^/@]*$/.exec(image) ?? [];
  if (!minor)
    return { osImage: 'Red Hat Enterprise Linux CoreOS (simulated)', kubeletVersion: kubernetesVersion.gitVersion };
  const version = image.slice(image.lastIndexOf(':') + 1);
  return {
    osImage: `Red Hat Enterprise Linux CoreOS ${version} (simulated)`,
    kubeletVersion: `v1.${Number(minor) + minorsApart}.${patch}`,
  };
}
