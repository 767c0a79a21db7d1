import { describe, expect, it } from 'vitest';
import { embeddedBootImages } from '../catalogue/embedded-boot-images.ts';
import { bootImagesConfigMap, imageReferences } from '../testing/payload.ts';
import { parseBootImages } from './boot-image-stream.ts';
import {
  awsBootImage,
  awsWindowsImage,
  azureBootImage,
  bootImageStream,
  gcpBootImage,
  kubevirtBootImage,
  openstackBootImage,
  powervsBootImage,
} from './boot-images.ts';
import { allCapabilityLabels, capabilityLabels, cpoCapabilities, parseImageLabels } from './capabilities.ts';
import { componentVersions } from './component-versions.ts';
import { parseImageReferences } from './image-references.ts';
import { parseReleaseMetadata } from './release-metadata.ts';

const bytes = (text: string) => Buffer.from(text);
const image = 'quay.io/ocp/release:1';

describe('parseImageReferences', () => {
  it('When given a payload, it should have version and images', () => {
    const found = parseImageReferences(bytes(imageReferences()), image);
    expect(found.version).toBe('4.20.3');
    expect(found.tags.map(({ name }) => name)).toEqual(['hyperkube', 'etcd', 'hypershift']);
  });

  it.each([
    ['<html>', 'is not JSON'],
    ['{"kind":"List"}', 'is not an ImageStream'],
    ['{"kind":"ImageStream"}', 'has no metadata.name'],
    [
      '{"kind":"ImageStream","metadata":{"name":"latest"}}',
      'names version "latest": No Major.Minor.Patch elements found',
    ],
    ['{"kind":"ImageStream","metadata":{"name":"4.20.3"}}', 'has no spec.tags'],
    [
      '{"kind":"ImageStream","metadata":{"name":"4.20.3"},"spec":{"tags":[{"name":"etcd"}]}}',
      'has no image for tag "etcd"',
    ],
  ])('When given %s, it should say what is wrong', (text, why) => {
    expect(() => parseImageReferences(bytes(text), image)).toThrow(why);
    expect(() => parseImageReferences(bytes(text), image)).toThrow(`${image} is not a usable release image`);
  });
});

describe('componentVersions', () => {
  const versionsOf = (versions: Record<string, string>) => {
    const components = Object.fromEntries(Object.keys(versions).map((name) => [name, 'x']));
    return Object.fromEntries(
      componentVersions(parseImageReferences(bytes(imageReferences({ components, versions })), image), image),
    );
  };
  it('When images report versions, it should gather them, without build labels', () => {
    expect(versionsOf({ hyperkube: 'kubernetes=1.33.5+abc, go=1.24.0', 'rhel-coreos': 'machine-os=9.6.2-0' })).toEqual({
      release: '4.20.3',
      go: '1.24.0',
      kubernetes: '1.33.5',
      'machine-os': '9.6.2-0',
    });
  });
  it('When kubectl comes from many images, it should count the command line only', () => {
    expect(versionsOf({ cli: 'kubectl=1.33.5', tools: 'kubectl=1.20.0' })['kubectl']).toBe('1.33.5');
  });
  it('When two OS streams report, it should take the first in order; other disagreements are refused', () => {
    expect(versionsOf({ a: 'machine-os=9.8.1', b: 'machine-os=10.2.1' })['machine-os']).toBe('10.2.1');
    expect(() => versionsOf({ a: 'kubernetes=1.33.5', b: 'kubernetes=1.34.0' })).toThrow(
      'multiple versions reported for the following component(s): kubernetes',
    );
  });
  it.each([
    ['kubernetes', 'the version pair "kubernetes" must be NAME=VERSION'],
    ['K8s=1.0.0', 'the version name "K8s" must only be ASCII alphanumerics and internal hyphens'],
    ['k=1.0.0', 'the version name "k" must only'],
    ['kubernetes=1.33', 'the version pair "kubernetes=1.33" must have a valid semantic version: No Major'],
  ])('When an annotation is %s, it should say which image and why', (annotation, why) => {
    expect(() => versionsOf({ hyperkube: annotation })).toThrow(
      `the referenced image hyperkube had an invalid version annotation: ${why}`,
    );
  });
});

describe('boot images', () => {
  const build = '9.6.20251105-0';
  const images = parseBootImages(bytes(bootImagesConfigMap()), image);
  const query = { images, stream: 'rhel-9', arch: 'amd64' };
  const two = embeddedBootImages({ 'rhel-9': '9.8.20260814-0', 'rhel-10': '10.2.20260814-0' }, 'r.example');

  it('When asked per cloud, it should name the image', () => {
    expect(awsBootImage(query, 'eu-west-1')).toMatch(/^ami-[0-9a-f]{17}$/);
    expect(awsBootImage({ ...query, arch: 'arm64' }, 'eu-west-1')).not.toBe(awsBootImage(query, 'eu-west-1'));
    expect(awsWindowsImage({ images, arch: 'amd64' }, 'eu-west-1')).toMatch(/^ami-/);
    expect(gcpBootImage(query)).toBe('projects/hypershift-ts-embedded/global/images/rhcos-9-6-20251105-0-gcp-x86-64');
    expect(azureBootImage(query, 'Gen2')).toMatchObject({ sku: 'rhcos-gen2', version: '9.6.20251105' });
    expect(kubevirtBootImage(query).image).toBe(
      `registry.example/boot-images/kubevirt@${kubevirtBootImage(query).digest}`,
    );
    expect(openstackBootImage({ images })).toMatchObject({
      release: build,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(powervsBootImage({ images }, 'us-south')).toMatchObject({
      release: '9-6-20251105-0',
      bucket: 'rhcos-powervs-images-us-south',
    });
  });

  it('When a release has several streams, it should keep them apart', () => {
    expect(openstackBootImage({ images: two, stream: 'rhel-10' }).release).toBe('10.2.20260814-0');
    expect(openstackBootImage({ images: two }).release).toBe('9.8.20260814-0');
    expect(() => bootImageStream(two, 'rhel-8')).toThrow(
      'stream "rhel-8" not found; available streams: [rhel-10 rhel-9]',
    );
  });

  it.each<[() => unknown, string]>([
    [() => awsBootImage(query, 'mars-1'), 'couldn\'t find AWS image for region "mars-1"'],
    [() => awsBootImage(query, '__proto__'), 'couldn\'t find AWS image for region "__proto__"'],
    [() => awsBootImage({ ...query, arch: 'mips' }, 'eu-west-1'), 'couldn\'t find OS metadata for architecture "mips"'],
    [() => awsBootImage({ ...query, arch: 'ppc64le' }, 'eu-west-1'), 'release image metadata has no AWS images'],
    [
      () => gcpBootImage({ ...query, arch: 's390x' }),
      'release image metadata has no GCP image for architecture "s390x"',
    ],
    [
      () => azureBootImage({ ...query, arch: 'arm64' }, 'Gen1'),
      'no Azure Marketplace image available for arm64 generation Gen1',
    ],
    [() => powervsBootImage({ images }, 'moon'), 'couldn\'t find PowerVS image for region "moon"'],
    [() => bootImageStream(undefined), 'no default stream metadata available'],
  ])('When there is none, it should say for what (%#)', (ask, message) => {
    expect(ask).toThrow(expect.objectContaining({ code: 'BOOT_IMAGE_NOT_FOUND', message }));
  });

  it.each([
    ['data: {}', "is missing both 'stream' and 'streams' keys"],
    ['data: {stream: "{"}', 'holds a key "stream" that is not JSON'],
    ['data: {stream: "{}"}', 'has no architectures in stream "stream"'],
    ['a: [', 'is not YAML'],
  ])('When the file is %j, it should say what is wrong', (text, why) => {
    expect(() => parseBootImages(bytes(text), image)).toThrow(why);
  });
});

describe('capabilities', () => {
  it('When labels are present, whatever their value, the capability should be there', () => {
    const found = cpoCapabilities({ [capabilityLabels.pkiOperatorSignsCsrs]: '' });
    expect(found.pkiOperatorSignsCsrs).toBe(true);
    expect(Object.values(found).filter(Boolean)).toHaveLength(1);
    expect(Object.values(cpoCapabilities(allCapabilityLabels())).every(Boolean)).toBe(true);
  });
  it('When given by annotation, it should read them or name the bad one', () => {
    expect(parseImageLabels('a=1,b=2', 'ns/hc')).toEqual({ a: '1', b: '2' });
    expect(() => parseImageLabels('a=1,b', 'ns/hc')).toThrow(
      'hosted cluster ns/hc annotation 1 malformed: label b not in key=value form',
    );
  });
});

describe('parseReleaseMetadata', () => {
  it('When given, it should have previous versions; when not JSON, an error', () => {
    expect(
      parseReleaseMetadata(bytes('{"version":"4.20.3","previous":["4.20.2",1],"metadata":{"url":"u","n":1}}'), image),
    ).toEqual({
      version: '4.20.3',
      previous: ['4.20.2'],
      metadata: { url: 'u' },
    });
    expect(() => parseReleaseMetadata(bytes('x'), image)).toThrow('release-metadata is not JSON');
  });
});
