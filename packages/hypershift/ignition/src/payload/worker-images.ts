import type { LookupOptions, ReleaseImage, ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { WorkerImages } from './payload-inputs.ts';

/**
 * What a worker takes from a release. Registry overrides are for the management cluster, so nodes get the images as the
 * release names them and reach mirrors by their own configuration.
 */
export function workerImagesOf(release: ReleaseImage, osStream: string): WorkerImages {
  const image = (...names: readonly string[]): string => {
    const found = names.map((name) => release.canonicalComponents.get(name)).find(Boolean);
    if (found) return found;
    throw new Error(`release image does not contain ${names[0]} (release ${release.version}, ${release.image})`);
  };
  const os = osStream === 'rhel-10' ? ['rhel-coreos-10', 'rhel-coreos'] : ['rhel-coreos'];
  return {
    osImage: image(...os),
    osExtensionsImage: image(...os.map((name) => `${name}-extensions`)),
    podImage: image('pod'),
    machineConfigOperatorImage: image('machine-config-operator'),
  };
}

/** For ClusterPayloadSource: looks a release up and picks a worker's images. */
export function workerImagesFrom(provider: ReleaseProvider, options: Omit<LookupOptions, 'signal'> = {}) {
  return async (releaseImage: string, osStream: string, signal?: AbortSignal): Promise<WorkerImages> => {
    const release = await provider.lookup(releaseImage, { ...options, ...(signal ? { signal } : {}) });
    return workerImagesOf(release, osStream);
  };
}
