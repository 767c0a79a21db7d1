import { type HostedCluster, hostedClusters } from '@hypershift-ts/hypershift-api';
import { EmbeddedCatalogue, isEmbeddedImage } from '@hypershift-ts/hypershift-release';
import type { Client } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { chosenRelease } from './release.ts';

/** Refuses, before anything is made, what the cluster's conditions would only tell afterwards. */
export async function checkCluster(
  client: Client,
  flags: Parameters<typeof chosenRelease>[0] & { readonly infraId?: string },
): Promise<void> {
  checkRelease(chosenRelease(flags).image);
  if (!flags.infraId) return;
  // Who sees only some namespaces is told by the condition instead.
  const { items } = await client.list(hostedClusters).catch((error: { readonly reason?: string }) => {
    if (error.reason === 'Forbidden') return { items: [] as HostedCluster[] };
    throw error;
  });
  const owner = items.find(({ spec }) => spec.infraID === flags.infraId)?.metadata;
  if (owner)
    throw new UserError(
      `--infra-id ${flags.infraId} is that of HostedCluster ${owner.namespace}/${owner.name} already`,
      'Choose another one, or leave it out to have one made up.',
    );
}

function checkRelease(image: string): void {
  const { versions } = new EmbeddedCatalogue();
  const version = image.slice(image.lastIndexOf(':') + 1);
  if (!isEmbeddedImage(image) || image.includes('@') || versions.includes(version)) return;
  throw new UserError(
    `--release-image ${image}: there is no such embedded release`,
    `There are ${versions.join(', ')}; any other release comes from a registry.`,
  );
}
