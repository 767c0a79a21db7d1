import { describe, expect, it } from 'vitest';
import { lookupControlPlaneReleases } from '../provider/control-plane-releases.ts';
import { createReleaseProvider } from '../provider/release-provider.ts';
import { cpoImageFor, resolveControlPlaneOperator } from '../provider/control-plane-operator.ts';
import {
  ComponentImages,
  componentImage,
  kubernetesVersionOf,
  operatorFamilyImages,
  requirePayloadArch,
  validReleaseInfoCondition,
  withComponents,
} from '../release-image.ts';
import { validateReleaseVersion } from '../version/release-validity.ts';
import { formatMinor, parseVersion } from '../version/version.ts';
import { kubernetesVersionFor } from '../version/supported.ts';
import {
  EmbeddedCatalogue,
  embeddedComponentImage,
  embeddedRegistry,
  embeddedReleaseImage,
  isEmbeddedImage,
} from './catalogue.ts';
import { embeddedReleases } from './releases.ts';

/** Appendix A of the reference: what a control plane and its nodes need. */
const needed = `hypershift hyperkube apiserver-network-proxy cluster-config-api cluster-authentication-operator cli
  aws-pod-identity-webhook etcd cluster-etcd-operator openshift-apiserver oauth-apiserver oauth-server
  openshift-controller-manager route-controller-manager cluster-policy-controller cluster-version-operator
  cluster-network-operator cluster-ingress-operator cluster-dns-operator cluster-image-registry-operator
  cluster-storage-operator cluster-csi-snapshot-controller-operator cluster-node-tuning-operator
  cloud-credential-operator cluster-autoscaler cluster-machine-approver kube-storage-version-migrator haproxy-router
  cluster-capi-controllers aws-cluster-api-controllers azure-cluster-api-controllers gcp-cluster-api-controllers
  ibmcloud-cluster-api-controllers openstack-cluster-api-controllers aws-cloud-controller-manager
  azure-cloud-controller-manager gcp-cloud-controller-manager kubevirt-cloud-controller-manager
  openstack-cloud-controller-manager powervs-cloud-controller-manager kubevirt-csi-driver csi-external-attacher
  csi-external-provisioner csi-external-resizer csi-external-snapshotter csi-livenessprobe aws-node-termination-handler
  operator-lifecycle-manager machine-config-operator machine-os-images`
  .trim()
  .split(/\s+/);

const catalogue = new EmbeddedCatalogue();

describe('the embedded catalogue', () => {
  it.each(embeddedReleases.map(({ version }) => version))(
    'When release %s is looked up, it should be whole, supported and frozen',
    async (version) => {
      const image = embeddedReleaseImage(version);
      const release = await catalogue.lookup(image);
      expect(release).toMatchObject({ image, version, source: 'embedded', payloadArch: 'Multi' });
      expect(needed.filter((name) => !release.components.has(name))).toEqual([]);
      expect(release.components.get('etcd')).toBe(`registry.hypershift-ts.io/release/etcd:${version}`);
      expect(validateReleaseVersion({ wanted: parseVersion(version), platformType: 'None' })).toBeUndefined();
      const kubernetes = parseVersion(kubernetesVersionOf(release));
      expect(formatMinor(kubernetes)).toBe(formatMinor(kubernetesVersionFor(parseVersion(version))));
      expect(Object.isFrozen(release)).toBe(true);
      expect(release.bootImages.streams !== undefined).toBe(version.startsWith('5.'));
      expect(await catalogue.lookup(image)).toBe(release);
      expect((await catalogue.lookup(release.pinnedImage)).version).toBe(version);
      expect(requirePayloadArch(release)).toBe('Multi');
    },
  );

  it('When listed, it should hold several minors with two patches each, newest first, each with a digest of its own', async () => {
    const { versions } = catalogue;
    expect(versions[0]).toBe('5.0.2');
    expect(new Set(versions.map((version) => formatMinor(parseVersion(version)))).size).toBe(6);
    expect(versions).toHaveLength(12);
    const digests = await Promise.all(
      versions.map(async (version) => (await catalogue.lookup(embeddedReleaseImage(version))).digest),
    );
    expect(new Set(digests).size).toBe(12);
    expect([catalogue.newest('4.20'), catalogue.newest('4.2'), catalogue.newest()]).toEqual([
      '4.20.8',
      undefined,
      '5.0.2',
    ]);
  });

  it('When asked what may be upgraded to a release, it should name older patches and the minor before', async () => {
    const release = await catalogue.lookup(embeddedReleaseImage('4.20.8'));
    expect(release.metadata?.previous).toEqual(['4.19.10', '4.19.18', '4.20.3']);
    expect((await catalogue.lookup(embeddedReleaseImage('5.0.0'))).metadata?.previous).toEqual(['4.22.0', '4.22.3']);
  });

  it('When asked where a version may go, it should offer later patches and the next minor only', () => {
    expect(catalogue.updatesFrom('4.20.3')).toEqual(['4.21.6', '4.21.1', '4.20.8']);
    expect(catalogue.updatesFrom('4.22.3')).toEqual(['5.0.2', '5.0.0']);
    expect(catalogue.updatesFrom('5.0.2')).toEqual([]);
  });

  it('When the release is unknown, it should list what there is', async () => {
    await expect(catalogue.lookup(embeddedReleaseImage('4.99.0'))).rejects.toMatchObject({
      code: 'RELEASE_NOT_EMBEDDED',
      message: expect.stringContaining('is not one of the embedded releases: 5.0.2, 5.0.0, 4.22.3'),
      fix: expect.stringContaining('registry.hypershift-ts.io/release:5.0.2'),
    });
    await expect(catalogue.imageMetadata(`${embeddedRegistry}/release/no-such:4.20.3`)).rejects.toMatchObject({
      code: 'RELEASE_NOT_EMBEDDED',
    });
  });

  it('When overrides apply, components should be rewritten and canonical ones kept', async () => {
    const registryOverrides = { [embeddedRegistry]: 'mirror.example' };
    const provider = createReleaseProvider({ registry: false });
    await expect(provider.lookup(embeddedReleaseImage('4.20.3'), { registryOverrides })).rejects.toMatchObject({
      code: 'RELEASE_NOT_EMBEDDED',
    });
    const onlyEtcd = { [`${embeddedRegistry}/release/etcd`]: 'mirror.example/etcd' };
    const release = await provider.lookup(embeddedReleaseImage('4.20.3'), { registryOverrides: onlyEtcd });
    expect(release.components.get('etcd')).toBe('mirror.example/etcd:4.20.3');
    expect(release.canonicalComponents.get('etcd')).toBe(embeddedComponentImage('etcd', '4.20.3'));
    expect(await provider.lookup(embeddedReleaseImage('4.20.3'), { registryOverrides: { ...onlyEtcd } })).toBe(release);
    const into = await provider.lookup('quay.io/ocp:4.20.3', {
      registryOverrides: { 'quay.io/ocp': `${embeddedRegistry}/release` },
    });
    expect(into.version).toBe('4.20.3');
  });
});

describe('a release in use', () => {
  it('When a component lacks, it should be reported once for all releases, and not stop the others', async () => {
    const incomplete = new EmbeddedCatalogue([
      { ...(embeddedReleases[4] as (typeof embeddedReleases)[number]), without: ['etcd', 'cli'] },
    ]);
    const release = await incomplete.lookup(embeddedReleaseImage('4.20.3'));
    const images = new ComponentImages(release);
    const user = new ComponentImages(release);
    expect([
      images.get('hyperkube'),
      images.get('etcd'),
      images.get('etcd'),
      user.get('cli'),
      user.has('etcd'),
    ]).toEqual([embeddedComponentImage('hyperkube', '4.20.3'), '', '', '', false]);
    expect(validReleaseInfoCondition(images, user)).toEqual({
      type: 'ValidReleaseInfo',
      status: 'False',
      reason: 'MissingReleaseImages',
      message: 'cli, etcd',
    });
    expect(validReleaseInfoCondition(new ComponentImages(release))).toMatchObject({
      status: 'True',
      reason: 'AsExpected',
      message: 'All is well',
    });
    expect(() => componentImage(release, 'etcd')).toThrow(
      expect.objectContaining({ code: 'RELEASE_COMPONENT_MISSING' }),
    );
    expect(componentImage(withComponents(release, { etcd: 'my/etcd:1' }), 'etcd')).toBe('my/etcd:1');
  });

  it('When controlPlaneRelease is set, the control plane and its users should see different releases', async () => {
    const provider = createReleaseProvider({ registry: false });
    const spec = {
      release: { image: embeddedReleaseImage('4.20.3') },
      controlPlaneRelease: { image: embeddedReleaseImage('4.20.8') },
    };
    const registryOverrides = { [`${embeddedRegistry}/release/cli`]: 'mirror.example/cli' };
    const { controlPlane, user } = await lookupControlPlaneReleases(provider, spec, { registryOverrides });
    expect([controlPlane.version, user.version]).toEqual(['4.20.8', '4.20.3']);
    expect([controlPlane.components.get('cli'), user.components.get('cli')]).toEqual([
      'mirror.example/cli:4.20.8',
      embeddedComponentImage('cli', '4.20.3'),
    ]);
    const same = await lookupControlPlaneReleases(provider, { release: spec.release });
    expect(same.controlPlane).toBe(same.user);
  });

  it('When the operator family is added, all should come from one image', async () => {
    const release = withComponents(
      await catalogue.lookup(embeddedReleaseImage('4.20.3')),
      operatorFamilyImages('cpo:1'),
    );
    expect(
      ['controlplane-operator', 'token-minter', 'socks5-proxy'].map((name) => release.components.get(name)),
    ).toEqual(['cpo:1', 'cpo:1', 'cpo:1']);
  });

  it('When choosing the control-plane-operator image, it should go by annotation, table, payload, then its own', async () => {
    const release = await catalogue.lookup(embeddedReleaseImage('4.20.3'));
    const without = await new EmbeddedCatalogue([
      { ...(embeddedReleases[4] as (typeof embeddedReleases)[number]), without: ['hypershift'] },
    ]).lookup(embeddedReleaseImage('4.20.3'));
    const annotations = { 'hypershift.openshift.io/control-plane-operator-image': 'annotated' };
    const base = { release, annotations: undefined, operatorImage: 'own' };
    expect(cpoImageFor({ ...base, annotations, overrideImage: 'table' })).toBe('annotated');
    expect(cpoImageFor({ ...base, overrideImage: 'table' })).toBe('table');
    expect(cpoImageFor(base)).toBe('registry.hypershift-ts.io/release/hypershift:4.20.3');
    expect(cpoImageFor({ ...base, release: without })).toBe('own');
  });

  it('When resolving the operator, its capabilities should come from the image, or from the annotation', async () => {
    const provider = createReleaseProvider({ registry: false });
    const release = await provider.lookup(embeddedReleaseImage('4.21.1'));
    const facts = { release, annotations: {}, operatorImage: 'own', hostedCluster: 'clusters/one' };
    const found = await resolveControlPlaneOperator(provider, facts);
    expect(found.image).toBe(embeddedComponentImage('hypershift', '4.21.1'));
    expect(found.capabilities).toMatchObject({ restrictedPodSecurity: true, defaultsToV2: true });
    const annotations = {
      'hypershift.openshift.io/control-plane-operator-image-labels': 'io.openshift.hypershift.restricted-psa=true',
    };
    const annotated = await resolveControlPlaneOperator(provider, { ...facts, annotations });
    expect(annotated.capabilities).toMatchObject({ restrictedPodSecurity: true, defaultsToV2: false });
  });

  it('When an image is embedded, its name should tell', () => {
    expect(isEmbeddedImage(embeddedReleaseImage('4.20.3'))).toBe(true);
    expect(isEmbeddedImage('registry.hypershift-ts.io.evil.example/release:4.20.3')).toBe(false);
  });
});
