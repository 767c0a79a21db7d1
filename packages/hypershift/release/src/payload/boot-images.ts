import { ReleaseError } from '../errors.ts';
import type { BootImages, BootImageStream, MarketplaceImage, StreamArchitecture } from './boot-image-stream.ts';

const kernelNames: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' };

function notFound(message: string): ReleaseError {
  return new ReleaseError('BOOT_IMAGE_NOT_FOUND', {
    message,
    fix: 'name a boot image in the platform section of the NodePool, or use a release, region and architecture that has one',
    field: 'spec.platform',
  });
}

/** The stream of a name; the legacy one when none is named, or when the release knows only that. */
export function bootImageStream(images: BootImages | undefined, name = ''): BootImageStream {
  if (name !== '' && images?.streams) {
    const found = Object.hasOwn(images.streams, name) ? images.streams[name] : undefined;
    if (found) return found;
    const available = Object.keys(images.streams).sort().join(' ');
    throw notFound(`stream ${JSON.stringify(name)} not found; available streams: [${available}]`);
  }
  if (images?.legacy) return images.legacy;
  throw notFound(
    name === ''
      ? 'no default stream metadata available'
      : `stream ${JSON.stringify(name)} not found and no default stream metadata available`,
  );
}

/** Metadata of an architecture by its API name (`amd64`) or kernel name (`x86_64`). */
export function streamArchitecture(stream: BootImageStream, arch: string): StreamArchitecture {
  const name = kernelNames[arch] ?? arch;
  const found = Object.hasOwn(stream.architectures, name) ? stream.architectures[name] : undefined;
  if (!found) throw notFound(`couldn't find OS metadata for architecture ${JSON.stringify(arch)}`);
  return found;
}

export interface BootImageQuery {
  readonly images: BootImages | undefined;
  /** RHEL stream of the pool, for example `rhel-9`. */
  readonly stream?: string;
  /** `amd64` or `arm64`. */
  readonly arch: string;
}

const architectureOf = ({ images, stream, arch }: BootImageQuery) =>
  streamArchitecture(bootImageStream(images, stream), arch);
const own = <T>(record: Readonly<Record<string, T>> | undefined, key: string) =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** The AMI of a region. */
export function awsBootImage(query: BootImageQuery, region: string): string {
  const { images } = architectureOf(query);
  if (!images?.aws) throw notFound('release image metadata has no AWS images');
  const found = own(images.aws.regions, region);
  if (!found) throw notFound(`couldn't find AWS image for region ${JSON.stringify(region)}`);
  if (!found.image) throw notFound(`release image metadata has no image for region ${JSON.stringify(region)}`);
  return found.image;
}

/** The Windows LI AMI of a region; always from the legacy stream. */
export function awsWindowsImage(query: Omit<BootImageQuery, 'stream'>, region: string): string {
  const extensions = architectureOf(query)['rhel-coreos-extensions'];
  if (!extensions) throw notFound('no rhel-coreos-extensions data found in release image metadata');
  const regions = extensions['aws-winli']?.regions;
  if (!regions) throw notFound('no aws-winli regions data found in release image metadata');
  const found = own(regions, region);
  if (!found) throw notFound(`no Windows AMI found for region ${region} in release image metadata`);
  if (!found.image) throw notFound(`windows AMI image is empty for region ${region} in release image metadata`);
  return found.image;
}

/** The image as GCP names it: `projects/<project>/global/images/<name>`. */
export function gcpBootImage(query: BootImageQuery): string {
  const gcp = architectureOf(query).images?.gcp;
  if (!gcp?.project || !gcp.name)
    throw notFound(`release image metadata has no GCP image for architecture ${JSON.stringify(query.arch)}`);
  return `projects/${gcp.project}/global/images/${gcp.name}`;
}

/** The marketplace image that needs no purchase plan; undefined when the release names none. */
export function azureBootImage(query: BootImageQuery, generation: 'Gen1' | 'Gen2'): MarketplaceImage | undefined {
  const plan = architectureOf(query)['rhel-coreos-extensions']?.marketplace?.azure?.['no-purchase-plan'];
  if (!plan?.hyperVGen1 && !plan?.hyperVGen2) return undefined;
  const found = generation === 'Gen1' ? plan.hyperVGen1 : plan.hyperVGen2;
  if (!found) throw notFound(`no Azure Marketplace image available for ${query.arch} generation ${generation}`);
  return found;
}

/** The container disk, by digest, and the digest alone (it keys the cache of disks). KubeVirt knows amd64 and s390x. */
export function kubevirtBootImage(query: BootImageQuery): { readonly image: string; readonly digest: string } {
  const arch = query.arch === 's390x' ? 's390x' : 'amd64';
  const { images } = architectureOf({ ...query, arch });
  if (!images?.kubevirt) throw notFound('no kubevirt image metadata present in release');
  const image = images.kubevirt['digest-ref'];
  if (!image) throw notFound('no kubevirt vm disk image present in release');
  const digest = image.split('@')[1];
  if (!digest) throw notFound('no kubevirt sha digest found for vm disk image');
  return { image, digest };
}

/** The qcow2 disk of OpenStack, which exists for amd64 only, and the CoreOS release it is of. */
export function openstackBootImage(query: Omit<BootImageQuery, 'arch'>): {
  readonly url: string;
  readonly sha256: string;
  readonly release: string;
} {
  const openstack = architectureOf({ ...query, arch: 'amd64' }).artifacts?.['openstack'];
  if (!openstack) throw notFound("couldn't find OS metadata for openstack");
  const format = openstack.formats['qcow2.gz'];
  if (!format) throw notFound("couldn't find OS metadata for openstack qcow2.gz");
  const disk = format['disk'];
  if (!disk) throw notFound("couldn't find OS metadata for the openstack qcow2.gz disk");
  return { url: disk.location, sha256: disk.sha256 ?? '', release: openstack.release };
}

/** The object-storage image of a PowerVS region. Its release is written with dashes, as image names must be. */
export function powervsBootImage(query: Omit<BootImageQuery, 'arch'>, region: string) {
  const { images } = architectureOf({ ...query, arch: 'ppc64le' });
  if (!images?.powervs) throw notFound('release image metadata has no PowerVS images');
  const found = own(images.powervs.regions, region);
  if (!found) throw notFound(`couldn't find PowerVS image for region ${JSON.stringify(region)}`);
  return { ...found, release: found.release.replaceAll('.', '-') };
}
