import {
  ComponentImages,
  type ControlPlaneReleases,
  lookupControlPlaneReleases,
  operatorFamilyImages,
  type ReleaseImage,
  withComponents,
} from '@hypershift-ts/hypershift-release';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Pass } from './pass.ts';
import type { Upkeep } from './upkeep.ts';

/** Reads the releases that the control plane and its users run, and puts them into the pass. */
export async function readReleases(pass: Pass): Promise<ControlPlaneReleases> {
  const { hcp, lookup, settings, upkeep, signal } = pass;
  const { releaseImage, controlPlaneReleaseImage, imageContentSources = [] } = hcp.spec;
  const secret = lookup.get(corev1.secrets, 'pull-secret');
  if (!secret) throw new Error('Secret pull-secret does not exist; the HyperShift operator copies it from the user');
  const found = await lookupControlPlaneReleases(
    upkeep.releases,
    {
      release: { image: releaseImage },
      controlPlaneRelease: controlPlaneReleaseImage ? { image: controlPlaneReleaseImage } : undefined,
    },
    {
      pullSecret: Buffer.from(secret.data?.['.dockerconfigjson'] ?? '', 'base64'),
      ...(settings.registryOverrides ? { registryOverrides: settings.registryOverrides } : {}),
      imageMirrors: imageContentSources.map(({ source, mirrors = [] }) => ({ source, mirrors })),
      signal,
    },
  );
  pass.releases = found;
  pass.images = imagesOf(found.controlPlane, upkeep);
  pass.userImages = imagesOf(found.user, upkeep);
  return found;
}

/** The same object for the same release, so that what is missing in it is not forgotten between reconciles. */
function imagesOf(release: ReleaseImage, { images, imagesOf: known }: Upkeep): ComponentImages {
  const existing = known.get(release);
  if (existing) return existing;
  const family = operatorFamilyImages(images['controlplane-operator'] ?? release.components.get('hypershift') ?? '');
  const made = new ComponentImages(withComponents(release, { ...family, ...images }));
  known.set(release, made);
  return made;
}
