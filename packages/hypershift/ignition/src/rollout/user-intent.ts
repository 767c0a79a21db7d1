import { createHash } from 'node:crypto';
import type { ConfigSource } from '../machine-config/documents.ts';
import { globalConfig } from './global-config.ts';
import type { PoolIntent } from './pool-intent.ts';
import { hashedStream, usesRunc } from './rhel-stream.ts';

/** Which reading of the user's intent userIntent() gives. Whoever changes a byte of what it reads, counts on. */
export const userIntentVersion = '1';

/**
 * A digest of what users decided about a pool's nodes: everything that may replace them, and nothing that a build
 * decides by itself. The text of the API server proxy and the images in it are left out, so a build that writes them in
 * another way, or is another image, is no reason for a rollout.
 *
 * @param chosenImage the image of the API server proxy, where the owner of the pool named one
 */
export function userIntent(intent: PoolIntent, chosenImage = ''): string {
  const { releaseVersion, configuration, networks, apiServerProxy: proxy } = intent;
  const texts = [
    releaseVersion,
    intent.pullSecretName,
    intent.additionalTrustBundleName,
    globalConfig(configuration, networks, releaseVersion),
    hashedStream(intent.osImageStream, releaseVersion, usesRunc(intent.user)),
    ...documents(intent.core),
    ...documents(intent.user),
    ...documents(intent.tuning ?? []),
    proxy?.external.host,
    proxy?.external.port,
    proxy?.internal.host,
    proxy?.internal.port,
    proxy?.useProxyProtocol,
    proxy?.clusterId,
    proxy?.platform,
    proxy?.httpsProxy,
    proxy?.noProxy,
    chosenImage,
  ];
  const digest = createHash('sha256');
  for (const text of texts) digest.update(`${text ?? ''}\0`);
  return digest.digest('hex').slice(0, 16);
}

/** In an order of their own: which name a ConfigMap has does not matter to a node. */
const documents = (sources: readonly ConfigSource[]): readonly string[] =>
  sources.map(({ data }) => data?.['config'] ?? '').toSorted((a, b) => (a < b ? -1 : Number(a > b)));
