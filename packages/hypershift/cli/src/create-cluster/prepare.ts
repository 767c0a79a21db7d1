import { generateInfraID } from '@hypershift-ts/hypershift-api';
import { isEmbeddedImage, PullSecret, ReleaseError } from '@hypershift-ts/hypershift-release';
import { corev1, decodeYaml, errorMessage, type Random } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import type { CoreFlags } from './core-flags.ts';
import { chosenRelease } from './release.ts';
import type { ClusterRequest } from './request.ts';
import { newSshKey } from './ssh-key.ts';

/** What a request is completed from. */
export interface Surroundings {
  readonly readFile: (path: string) => Promise<string>;
  readonly random: Random;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly note: (text: string) => void;
  /** Whether the management cluster is an embedded one; undefined when none is asked, as with --render. */
  readonly isEmbedded: boolean | undefined;
}

const dualCluster = ['10.132.0.0/14', 'fd01::/48'];
const dualService = ['172.31.0.0/16', 'fd02::/112'];

/** Enough for embedded releases, which nobody pulls. */
const emptyPullSecret = '{"auths":{}}';

async function content(
  path: string | undefined,
  flag: string,
  { readFile }: Surroundings,
): Promise<string | undefined> {
  if (!path) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw new UserError(`--${flag} ${path}: cannot be read: ${errorMessage(error)}`, 'Check the path.', {
      cause: error,
    });
  }
}

async function pullSecretFor(flags: CoreFlags, image: string, around: Surroundings): Promise<string> {
  const given = await content(flags.pullSecret, 'pull-secret', around);
  if (given === undefined) {
    if (!isEmbeddedImage(image))
      throw new UserError(
        `release ${image} is pulled from a registry, and no pull secret is given`,
        'Name a file with one: --pull-secret <file>.',
      );
    around.note('No --pull-secret: an empty one is used, which is enough for embedded releases.');
    return emptyPullSecret;
  }
  try {
    PullSecret.parse(given);
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    throw new UserError(`--pull-secret ${flags.pullSecret}: ${error.message}`, error.fix, { cause: error });
  }
  return given;
}

function releaseFor(flags: CoreFlags, { isEmbedded, note }: Surroundings): string {
  const { image, isDefault } = chosenRelease(flags);
  if (isEmbedded === false && isEmbeddedImage(image))
    throw new UserError(
      `release ${image} exists inside embedded management clusters only, and this one is not embedded`,
      'Name a release image of a registry with --release-image, and --pull-secret for it.',
    );
  if (isDefault) note(`No --release-image: using ${image}, an embedded release.`);
  return image;
}

function imageContentSources(text: string): NonNullable<ClusterRequest['imageContentSourceList']> {
  const { value } = decodeYaml(text, { maxLength: 1 << 20 });
  const isSource = (one: unknown) => typeof (one as { source?: unknown } | null)?.source === 'string';
  if (!Array.isArray(value) || !value.every(isSource))
    throw new UserError('--image-content-sources: expected a YAML list of {source, mirrors}');
  return value as unknown as NonNullable<ClusterRequest['imageContentSourceList']>;
}

/** Reads files, picks the release and makes up what nobody said. */
export async function prepareRequest(flags: CoreFlags, around: Surroundings): Promise<ClusterRequest> {
  const releaseImage = releaseFor(flags, around);
  const pullSecretContent = await pullSecretFor(flags, releaseImage, around);
  const publicKey = await content(flags.sshKey, 'ssh-key', around);
  const ssh = flags.generateSsh ? await newSshKey() : publicKey === undefined ? undefined : { publicKey };
  const trustBundleContent = await content(flags.additionalTrustBundle, 'additional-trust-bundle', around);
  const sources = await content(flags.imageContentSources, 'image-content-sources', around);
  const { pullSecret: _pullSecret, sshKey: _sshKey, ...rest } = flags;
  return {
    ...rest,
    ...(flags.defaultDual ? { clusterCidr: dualCluster, serviceCidr: dualService } : {}),
    releaseImage,
    infraID: flags.infraId ?? generateInfraID(flags.name, around.random),
    pullSecretContent,
    etcdEncryptionKey: Buffer.from(around.randomBytes(32)).toString('base64'),
    ...(ssh ? { ssh } : {}),
    ...(trustBundleContent === undefined ? {} : { trustBundleContent }),
    ...(sources === undefined ? {} : { imageContentSourceList: imageContentSources(sources) }),
  };
}

const addressTypes = ['ExternalDNS', 'ExternalIP', 'InternalIP'];

/** Where node ports of the management cluster are reached, judging by one of its nodes. */
export async function nodeAddress(client: Client): Promise<string | undefined> {
  const { items } = await client.list(corev1.nodes, { limit: 1 });
  const addresses = items[0]?.status?.addresses ?? [];
  for (const type of addressTypes) {
    const found = addresses.find((address) => address.type === type);
    if (found) return found.address;
  }
  return undefined;
}
