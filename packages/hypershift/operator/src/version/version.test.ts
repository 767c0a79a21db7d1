import { ReleaseError, type ReleaseImage } from '@hypershift-ts/hypershift-release';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../conditions/index.ts';
import { aCluster, aCondition, aControlPlane } from '../testing/clusters.ts';
import { clusterVersionStatus, copiedStatus, progressing, PullSecretMissing, validReleaseImage } from './index.ts';

const image = 'quay.io/openshift-release-dev/ocp-release:4.20.1-multi';
const release = (version: string, own: object = {}) =>
  ({ image, version, payloadArch: 'Multi', architectures: ['amd64'], ...own }) as unknown as ReleaseImage;
const running = (version: string, runningImage = 'old') => ({
  version: {
    desired: { image: runningImage, version },
    history: [
      { state: 'Completed', version, image: runningImage, startedTime: '', completionTime: '', verified: false },
    ],
    availableUpdates: null,
    observedGeneration: 1,
  },
});
const said = ({ status, reason, message }: Verdict) => `${status}/${reason}: ${message}`;
const verdict = (type: Verdict['type'], status: Verdict['status'], message = ''): Verdict => ({
  type,
  status,
  reason: 'R',
  message,
});
const notUpgradeable = verdict('ClusterVersionUpgradeable', 'False', 'old APIs in use');

describe('progressing', () => {
  const judged = (
    status: object | undefined,
    version: string,
    verdicts: readonly Verdict[] = [],
    own: object = {},
    metadata: object = {},
  ) => said(progressing(aCluster(own, metadata, status), { release: release(version), verdicts }));
  const moving = 'True/Progressing: HostedCluster is deploying, upgrading, or reconfiguring';

  it('When nothing runs yet, it should be under way', () => {
    expect(judged(undefined, '4.20.1')).toBe(moving);
  });
  it('When the wanted image runs, by tag or digest, it should be there', () => {
    expect(judged(running('4.20.1', image), '4.20.1')).toBe('False/AsExpected: HostedCluster is at expected version');
    const cluster = aCluster({}, {}, running('4.20.1', 'quay.io/r@sha256:1'));
    const facts = { release: release('4.20.1'), pinnedImage: 'quay.io/r@sha256:1', verdicts: [] };
    expect(progressing(cluster, facts).status).toBe('False');
  });
  it('When the release cannot be read, it should be blocked', () => {
    const facts = { release: new Error('no such image'), verdicts: [] };
    expect(said(progressing(aCluster(), facts))).toBe('False/Blocked: no such image');
  });
  it.each(['SupportedHostedCluster', 'ValidConfiguration', 'ValidReleaseImage', 'ReconciliationActive'] as const)(
    'When %s is False, it should be blocked by it',
    (type) => {
      expect(judged(undefined, '4.20.1', [verdict(type, 'False', 'why')])).toBe(
        `False/Blocked: ${type} condition is false: why`,
      );
    },
  );

  const force = { annotations: { 'hypershift.openshift.io/force-upgrade-to': image } };
  it.each([
    ['z-stream', '4.20.0', [], {}, {}, moving],
    ['z-stream while not upgradeable', '4.20.0', [notUpgradeable], {}, {}, moving],
    ['y-stream', '4.19.9', [verdict('ClusterVersionUpgradeable', 'True')], {}, {}, moving],
    ['y-stream forced', '4.19.9', [notUpgradeable], {}, force, moving],
    [
      'y-stream with controlPlaneRelease',
      '4.19.9',
      [notUpgradeable],
      { controlPlaneRelease: { image: 'x' } },
      {},
      moving,
    ],
    ['y-stream before anything is known', '4.19.9', [verdict('ClusterVersionUpgradeable', 'Unknown')], {}, {}, moving],
  ] as const)('When the upgrade is %s, it should go on', (_, from, verdicts, spec, metadata, text) => {
    expect(judged(running(from), '4.20.1', verdicts, spec, metadata)).toBe(text);
  });
  it('When the cluster says it is not upgradeable, a y-stream should be blocked', () => {
    expect(judged(running('4.19.9'), '4.20.1', [notUpgradeable])).toMatch(
      /^False\/Blocked: ClusterVersionUpgradeable condition is false: cluster version is not upgradeable/,
    );
  });
  it('When force names another image, it should be blocked', () => {
    const metadata = { annotations: { 'hypershift.openshift.io/force-upgrade-to': 'other' } };
    expect(judged(running('4.19.9'), '4.20.1', [notUpgradeable], {}, metadata)).toContain(
      'does not match desired release image',
    );
  });
  it('When a minor would be skipped, it should be blocked with the next step', () => {
    expect(judged(running('4.18.9'), '4.20.1')).toMatch(
      /^False\/Blocked: upgrade from "4.18.9" to "4.20.1" skips 4.19.*upgrade to a 4.19 release first/,
    );
  });
});

describe('validReleaseImage', () => {
  it('When the release is fine, it should say so', () => {
    expect(said(validReleaseImage(aCluster(), release('4.20.1')))).toBe('True/AsExpected: Release image is valid');
  });
  it('When it cannot be used, it should tell pull secret, version and architecture apart', () => {
    expect(validReleaseImage(aCluster(), new PullSecretMissing('clusters', 'ps')).reason).toBe('SecretNotFound');
    expect(validReleaseImage(aCluster(), new Error('gone')).reason).toBe('InvalidImage');
    const unknown = new ReleaseError('RELEASE_NOT_EMBEDDED', { message: 'no such image', fix: 'use another' });
    expect(said(validReleaseImage(aCluster(), unknown))).toBe(
      'False/InvalidImage: spec.release.image: no such image; use another',
    );
    expect(said(validReleaseImage(aCluster(), release('4.13.0')))).toBe(
      'False/InvalidImage: the minimum version supported for platform None is: "4.14". Attempting to use: "4.13.0"',
    );
    expect(validReleaseImage(aCluster({}, {}, running('4.21.0')), release('4.20.1')).message).toContain(
      'y-stream downgrade',
    );
    expect(validReleaseImage(aCluster(), release('4.20.1', { payloadArch: undefined })).reason).toBe(
      'PayloadArchNotFound',
    );
  });
  it('When the registry is away, what was found valid for this generation should stay so', () => {
    const judged = (generation: number, status: 'True' | 'False') => {
      const conditions = [{ ...aCondition('ValidReleaseImage', status), observedGeneration: generation }];
      return validReleaseImage(aCluster({}, {}, { conditions }), new Error('no route to host')).status;
    };
    expect([judged(3, 'True'), judged(2, 'True'), judged(3, 'False')]).toEqual(['True', 'False', 'False']);
  });
});

describe('status beside conditions', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it('When nothing is reported, it should begin with a partial entry', () => {
    expect(clusterVersionStatus(aCluster(), undefined, now)).toMatchObject({
      desired: { image },
      history: [{ state: 'Partial', image, startedTime: '2026-01-01T00:00:00Z', completionTime: null }],
    });
  });
  it('When the control plane reports, it should be taken over, newest first', () => {
    const versionStatus = { desired: { image: 'x', version: '4.20.1' }, history: [{ version: 'b' }, { version: 'a' }] };
    expect(clusterVersionStatus(aCluster(), aControlPlane({ versionStatus }), now)).toBe(versionStatus);
  });
  const all = { kubeconfig: true, customKubeconfig: true, kubeadminPassword: true };
  it('When access exists, it should be named, and hidden where it has no meaning', () => {
    expect(copiedStatus(aCluster(), undefined, all)).toEqual({
      kubeconfig: { name: 'demo-admin-kubeconfig' },
      customKubeconfig: null,
      kubeadminPassword: { name: 'demo-kubeadmin-password' },
    });
    expect(copiedStatus(aCluster({ configuration: { oauth: {} } }), undefined, all)).toMatchObject({
      kubeadminPassword: null,
    });
  });
  it('When the API server is behind a Route, its port should be 443', () => {
    const services = [{ service: 'APIServer', servicePublishingStrategy: { type: 'Route' } }];
    const hcp = aControlPlane({ controlPlaneEndpoint: { host: 'h', port: 6443 } });
    expect(copiedStatus(aCluster({ services }), hcp, all)).toMatchObject({
      controlPlaneEndpoint: { host: 'h', port: 443 },
    });
    expect(copiedStatus(aCluster(), hcp, all)).toMatchObject({ controlPlaneEndpoint: { host: 'h', port: 6443 } });
  });
});
