import type { ImageMirror } from '../image/overrides.ts';
import type { ReleaseImage } from '../release-image.ts';
import type { LookupOptions, ReleaseProvider } from './provider.ts';

/** The release fields of a HostedCluster. */
export interface ReleaseSpec {
  readonly release: { readonly image: string };
  readonly controlPlaneRelease?: { readonly image: string } | undefined;
}

/** The image the control plane runs: `spec.controlPlaneRelease` where set, else `spec.release`. */
export function controlPlaneReleaseImageOf({ release, controlPlaneRelease }: ReleaseSpec): string {
  return controlPlaneRelease?.image ?? release.image;
}

export interface ControlPlaneReleases {
  /** What the management-side components run, registry overrides applied. */
  readonly controlPlane: ReleaseImage;
  /** What users, nodes and the cluster version operator see: `spec.release`, never with overrides. */
  readonly user: ReleaseImage;
}

/** Both releases of a control plane. They are of one version unless `controlPlaneRelease` is set. */
export async function lookupControlPlaneReleases(
  provider: ReleaseProvider,
  spec: ReleaseSpec,
  options: LookupOptions = {},
): Promise<ControlPlaneReleases> {
  const { registryOverrides = {}, imageMirrors = [], ...rest } = options;
  // Where overrides are the only way to the release image, they serve as mirrors, which leaves the components alone.
  const asMirrors = Object.entries(registryOverrides).map(([source, to]): ImageMirror => ({ source, mirrors: [to] }));
  const [controlPlane, user] = await Promise.all([
    provider.lookup(controlPlaneReleaseImageOf(spec), options),
    provider.lookup(spec.release.image, { ...rest, imageMirrors: [...imageMirrors, ...asMirrors] }),
  ]);
  return { controlPlane, user };
}
