import { embeddedBootImages } from '../catalogue/embedded-boot-images.ts';
import { bootImagesFile } from '../payload/boot-image-stream.ts';
import { imageReferencesFile } from '../payload/image-references.ts';
import { releaseMetadataFile } from '../payload/release-metadata.ts';
import { type TarFile, layerOf } from './tar.ts';

export interface PayloadOptions {
  readonly version?: string;
  /** Tag to image. */
  readonly components?: Readonly<Record<string, string>>;
  /** Tag to annotation `io.openshift.build.versions`. */
  readonly versions?: Readonly<Record<string, string>>;
}

/** `release-manifests/image-references` as a release image holds it. */
export function imageReferences({ version = '4.20.3', components, versions }: PayloadOptions = {}): string {
  const images = components ?? {
    hyperkube: `quay.example/ocp/art@sha256:${'a'.repeat(64)}`,
    etcd: `quay.example/ocp/art@sha256:${'b'.repeat(64)}`,
    hypershift: `quay.example/ocp/art@sha256:${'c'.repeat(64)}`,
  };
  const annotations = versions ?? { hyperkube: 'kubernetes=1.33.5' };
  return JSON.stringify({
    kind: 'ImageStream',
    apiVersion: 'image.openshift.io/v1',
    metadata: { name: version },
    spec: {
      tags: Object.entries(images).map(([name, image]) => ({
        name,
        annotations: annotations[name] ? { 'io.openshift.build.versions': annotations[name] } : {},
        from: { kind: 'DockerImage', name: image },
      })),
    },
  });
}

/** The boot image ConfigMap, as YAML with JSON inside. */
export function bootImagesConfigMap(): string {
  const { legacy } = embeddedBootImages({ 'rhel-9': '9.6.20251105-0' }, 'registry.example');
  const indented = JSON.stringify(legacy, null, 2).replaceAll('\n', '\n    ');
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: coreos-bootimages\n  namespace: openshift-machine-config-operator\ndata:\n  releaseVersion: 4.20.3\n  stream: |\n    ${indented}\n`;
}

export function releaseFiles(options: PayloadOptions = {}): readonly TarFile[] {
  const version = options.version ?? '4.20.3';
  return [
    { name: 'release-manifests/', type: '5' },
    { name: bootImagesFile, content: bootImagesConfigMap() },
    { name: imageReferencesFile, content: imageReferences(options) },
    {
      name: releaseMetadataFile,
      content: JSON.stringify({ kind: 'cincinnati-metadata-v0', version, previous: ['4.20.2'], metadata: {} }),
    },
  ];
}

/** Layers of a release image: a base, and the manifests on top. */
export function releaseLayers(options: PayloadOptions = {}): readonly Buffer[] {
  return [layerOf([{ name: 'usr/bin/cluster-version-operator', content: 'binary' }]), layerOf(releaseFiles(options))];
}
