import { createHash } from 'node:crypto';
import { deepFreeze } from '@hypershift-ts/kube-apimachinery';
import type { BootImages, BootImageStream, StreamArchitecture } from '../payload/boot-image-stream.ts';
import { rhel9Stream } from '../version/rhel-stream.ts';

const awsRegions = `
  af-south-1 ap-east-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2
  ap-southeast-3 ap-southeast-4 ca-central-1 ca-west-1 eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2
  eu-west-1 eu-west-2 eu-west-3 il-central-1 me-central-1 me-south-1 sa-east-1 us-east-1 us-east-2 us-west-1 us-west-2`
  .trim()
  .split(/\s+/);
const powervsRegions = ['au-syd', 'br-sao', 'ca-tor', 'eu-de', 'eu-gb', 'jp-osa', 'jp-tok', 'us-east', 'us-south'];
const architectures = ['x86_64', 'aarch64', 'ppc64le', 's390x'];

const hash = (...parts: readonly string[]) => createHash('sha256').update(parts.join('/')).digest('hex');

/** Boot images in the shape of a real release. Names and ids are made up, the same ones every time. */
export function embeddedBootImages(coreos: Readonly<Record<string, string>>, registry: string): BootImages {
  const streams = Object.entries(coreos).map(([name, build]) => [name, stream(name, build, registry)] as const);
  const legacy = stream(rhel9Stream, coreos[rhel9Stream] as string, registry);
  return deepFreeze({ legacy, ...(streams.length > 1 ? { streams: Object.fromEntries(streams) } : {}) });
}

function stream(name: string, build: string, registry: string): BootImageStream {
  const entries = architectures.map((arch) => [arch, architecture(arch, build, registry)] as const);
  return { stream: `embedded-${name}`, architectures: Object.fromEntries(entries) };
}

function architecture(arch: string, build: string, registry: string): StreamArchitecture {
  const isCloud = arch === 'x86_64' || arch === 'aarch64';
  const dashed = build.replaceAll('.', '-');
  const file = `rhcos-${build}-openstack.${arch}.qcow2.gz`;
  const digest = `sha256:${hash(build, arch, 'kubevirt')}`;
  return {
    artifacts: {
      openstack: {
        release: build,
        formats: {
          'qcow2.gz': {
            disk: {
              location: `https://${registry}/boot-images/${build}/${arch}/${file}`,
              sha256: hash(build, arch, 'openstack'),
              'uncompressed-sha256': hash(build, arch, 'openstack', 'raw'),
            },
          },
        },
      },
    },
    images: {
      ...(isCloud ? { aws: { regions: regions(awsRegions, build, arch) } } : {}),
      ...(isCloud
        ? {
            gcp: {
              release: build,
              project: 'hypershift-ts-embedded',
              name: `rhcos-${dashed}-gcp-${arch.replace('_', '-')}`,
            },
          }
        : {}),
      ...(arch === 'x86_64' || arch === 's390x'
        ? {
            kubevirt: {
              release: build,
              image: `${registry}/boot-images/kubevirt:${build}`,
              'digest-ref': `${registry}/boot-images/kubevirt@${digest}`,
            },
          }
        : {}),
      ...(arch === 'ppc64le' ? { powervs: { regions: powervs(build) } } : {}),
    },
    'rhel-coreos-extensions': {
      ...(isCloud
        ? { 'azure-disk': { release: build, url: `https://${registry}/boot-images/rhcos-${build}-azure.${arch}.vhd` } }
        : {}),
      ...(isCloud ? { marketplace: { azure: { 'no-purchase-plan': azurePlan(arch, build) } } } : {}),
      'aws-winli': { regions: arch === 'x86_64' ? regions(awsRegions, build, 'winli') : {} },
    },
  };
}

function regions(names: readonly string[], build: string, kind: string) {
  return Object.fromEntries(
    names.map((name) => [name, { release: build, image: `ami-${hash(build, kind, name).slice(0, 17)}` }]),
  );
}

function powervs(build: string) {
  const object = `rhcos-${build.replaceAll('.', '-')}-ppc64le-powervs.ova.gz`;
  return Object.fromEntries(
    powervsRegions.map((region) => {
      const bucket = `rhcos-powervs-images-${region}`;
      const url = `https://s3.${region}.cloud-object-storage.appdomain.cloud/${bucket}/${object}`;
      return [region, { release: build, object, bucket, url }];
    }),
  );
}

function azurePlan(arch: string, build: string) {
  const image = (sku: string) => ({
    publisher: 'hypershift-ts',
    offer: 'embedded',
    sku,
    version: build.split('-')[0] as string,
  });
  return arch === 'x86_64'
    ? { hyperVGen1: image('rhcos-gen1'), hyperVGen2: image('rhcos-gen2') }
    : { hyperVGen2: image('rhcos-arm') };
}
