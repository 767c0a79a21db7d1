import { describe, expect, it } from 'vitest';
import {
  autoscalingEnabled,
  poolPauseLeftMs,
  poolReconciliationActive,
  updateManagementEnabled,
  validArchPlatform,
  validPlatformSettings,
} from './checks.ts';
import { ignitionEndpointMissing, reachedIgnitionEndpoint, validGeneratedPayload } from './ignition.ts';
import { aHostedCluster, aPool, inPlace } from './testing/pools.ts';

const secret = (data: { [key: string]: string } = {}, annotations: { [key: string]: string } = {}) => ({
  apiVersion: 'v1' as const,
  kind: 'Secret' as const,
  metadata: { name: 's', annotations },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});

describe('autoscalingEnabled', () => {
  it.each([
    [{}, 'False', 'AsExpected', ''],
    [
      { replicas: undefined, autoScaling: { min: 1, max: 4 } },
      'True',
      'AsExpected',
      'Maximum nodes: 4, Minimum nodes: 1',
    ],
    [
      { replicas: undefined, autoScaling: { min: 0, max: 4 }, platform: { type: 'KubeVirt' } },
      'False',
      'ValidationFailed',
      'Autoscaling from zero (min=0) is not supported for KubeVirt platform',
    ],
  ])('When the pool has %j, it should be %s %s', (spec, status, reason, message) => {
    expect(autoscalingEnabled(aPool(spec))).toMatchObject({ status, reason, message });
  });
});

describe('updateManagementEnabled', () => {
  it.each([
    [{}, 'True'],
    [{ management: { upgradeType: 'Replace', replace: { strategy: 'OnDelete' } } }, 'True'],
    [inPlace(), 'True'],
    [{ management: { upgradeType: 'Replace', replace: { strategy: 'RollingUpdate' } } }, 'False'],
    [{ management: { upgradeType: 'Replace' } }, 'False'],
  ])('When management is %j, it should be %s', (spec, status) => {
    expect(updateManagementEnabled(aPool(spec)).status).toBe(status);
  });
});

describe('validArchPlatform', () => {
  it('When the platform has no such machines, it should name one it has', () => {
    expect(validArchPlatform(aPool({ arch: 's390x' }), aHostedCluster())).toMatchObject({
      status: 'False',
      reason: 'InvalidArchPlatform',
      message: "CPU arch s390x is not supported for platform: AWS, use 'amd64' instead",
    });
  });

  it('When the release of the cluster is for another architecture, it should ask for a multi-arch one', () => {
    expect(validArchPlatform(aPool({ arch: 'arm64' }), aHostedCluster({}, { payloadArch: 'AMD64' }))).toMatchObject({
      status: 'False',
      message: expect.stringContaining('use a multi-arch release image'),
    });
    expect(validArchPlatform(aPool({ arch: 'arm64' }), aHostedCluster()).status).toBe('True');
  });
});

describe('poolReconciliationActive', () => {
  const now = new Date('2026-06-01T12:00:00Z');
  it.each([
    [undefined, 'True', 'ReconciliationActive', 'Reconciliation active on resource'],
    ['true', 'False', 'ReconciliationPaused', 'Reconciliation paused until field removed'],
    ['2026-06-01T13:00:00Z', 'False', 'ReconciliationPaused', 'Reconciliation paused until: 2026-06-01T13:00:00Z'],
    ['2026-06-01T11:00:00Z', 'True', 'ReconciliationActive', 'Reconciliation active on resource'],
    ['2026-06-01T99', 'True', 'InvalidPausedUntilValue', 'Invalid value provided for PausedUntil field'],
  ])('When pausedUntil is %s, it should be %s %s', (pausedUntil, status, reason, message) => {
    expect(poolReconciliationActive(aPool({ pausedUntil }), now)).toMatchObject({ status, reason, message });
  });

  it('When a pause ends by itself, it should tell how long it lasts', () => {
    expect(poolPauseLeftMs(aPool({ pausedUntil: '2026-06-01T12:00:30Z' }), now)).toBe(30_000);
    expect(poolPauseLeftMs(aPool({ pausedUntil: 'true' }), now)).toBeUndefined();
  });
});

describe('validPlatformSettings', () => {
  it('When a capacity reservation comes too early, it should blame AWS', () => {
    const platform = {
      type: 'AWS',
      aws: { instanceType: 'm5.large', placement: { capacityReservation: { id: 'cr-1' } } },
    };
    const version = { history: [{ state: 'Completed', version: '4.18.20' }] };
    expect(validPlatformSettings(aPool({ platform }), aHostedCluster({}, { version }))).toMatchObject({
      status: 'False',
      reason: 'AWSError',
    });
  });

  it('When a taint is repeated, it should name the field', () => {
    const taint = { key: 'gpu', effect: 'NoSchedule' };
    expect(validPlatformSettings(aPool({ taints: [taint, taint] }), aHostedCluster())).toMatchObject({
      reason: 'ValidationFailed',
      message: expect.stringContaining('spec.taints[1]'),
    });
  });
});

describe('Ignition conditions', () => {
  it.each([
    [{}, undefined, 'IgnitionEndpointMissing', 'Ignition endpoint not available, waiting'],
    [
      { ignitionEndpoint: 'i' },
      undefined,
      'IgnitionCACertMissing',
      'still waiting for ignition CA cert Secret to exist',
    ],
    [{ ignitionEndpoint: 'i' }, secret(), 'IgnitionCACertMissing', 'CA Secret is missing tls.crt key'],
  ])('When status is %j and the CA %j, it should wait with %s', (status, ca, reason, message) => {
    expect(ignitionEndpointMissing(aHostedCluster({}, status), ca)).toMatchObject({ status: 'False', reason, message });
  });

  it('When everything is there, the condition should go', () => {
    expect(
      ignitionEndpointMissing(aHostedCluster({}, { ignitionEndpoint: 'i' }), secret({ 'tls.crt': 'x' })),
    ).toBeUndefined();
  });

  it.each([
    [undefined, 'False', 'NotFound', 'Secret "token-x" not found'],
    [secret(), 'Unknown', '', 'Unable to get status data from token secret'],
    [secret({ reason: 'AsExpected', message: 'made' }), 'True', 'AsExpected', 'made'],
    [secret({ reason: 'InvalidConfig', message: 'bad unit' }), 'False', 'InvalidConfig', 'bad unit'],
  ])('When the token is %j, the payload should be %s %s', (token, status, reason, message) => {
    expect(validGeneratedPayload(token, 'token-x')).toMatchObject({ status, reason, message });
  });

  it('When machines are replaced, each rollout should have to reach the endpoint again', () => {
    const before = { conditions: [{ type: 'ReachedIgnitionEndpoint', status: 'True', reason: 'AsExpected' }] };
    expect(reachedIgnitionEndpoint(aPool({}, {}, before), secret(), 't')).toMatchObject({
      status: 'False',
      reason: 'ignitionNotReached',
    });
    const reached = secret({}, { 'hypershift.openshift.io/ignition-reached': 'True' });
    expect(reachedIgnitionEndpoint(aPool(), reached, 't').status).toBe('True');
    expect(reachedIgnitionEndpoint(aPool(inPlace(), {}, before), undefined, 't').status).toBe('True');
  });
});
