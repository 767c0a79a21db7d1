import { EmbeddedCatalogue, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { UserError } from '../cli-error.ts';

/** The release to install: the one named, or an embedded one. */
export function chosenRelease(
  flags: { readonly releaseImage?: string; readonly releaseStream?: string },
  catalogue = new EmbeddedCatalogue(),
): { readonly image: string; readonly isDefault: boolean } {
  if (flags.releaseImage) return { image: flags.releaseImage, isDefault: false };
  const stream = flags.releaseStream;
  const minor = stream?.match(/(\d+\.\d+)/)?.[1];
  const version = catalogue.newest(minor);
  if (version) return { image: embeddedReleaseImage(version), isDefault: true };
  throw new UserError(
    `--release-stream ${stream}: no embedded release belongs to it`,
    `Embedded releases are ${catalogue.versions.join(', ')}; name any other with --release-image.`,
  );
}
