import { hostedClusterConditions } from '@hypershift-ts/hypershift-api';
import { platformFor, type PlatformType } from '@hypershift-ts/hypershift-platforms';
import type { Condition } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { aCluster, aCondition, aControlPlane } from '../testing/clusters.ts';
import {
  autoNodeEnabled,
  available,
  bubbledConditions,
  ignitionEndpointAvailable,
  operatorProblem,
  pauseLeftMs,
  platformCredentialsFound,
  privateConnectivityConditions,
  reconciliationActive,
  reconciliationSucceeded,
  supported,
  unhealthyConditions,
  unmanagedEtcd,
  validConfigurationVerdict,
  validProxy,
  type Verdict,
} from './index.ts';

const said = ({ type, status, reason, message }: Verdict) => `${type}=${status}/${reason}: ${message}`;
const of = (type: string, verdicts: readonly Verdict[]) => verdicts.filter((one) => one.type === type).map(said);
const bubbled = (conditions: readonly Condition[] | undefined, platform: PlatformType = 'None') =>
  bubbledConditions(conditions && aControlPlane({ conditions }), platformFor(platform));

const progressing: Verdict = { type: 'Progressing', status: 'True', reason: 'Progressing', message: 'going' };
const blocked: Verdict = { type: 'Progressing', status: 'False', reason: 'Blocked', message: 'bad release' };

describe('available', () => {
  it('When the control plane is available, it should say so in its own words', () => {
    const hcp = aControlPlane({ conditions: [aCondition('Available', 'True', 'X', 'y')] });
    expect(said(available(hcp, [progressing]))).toBe(
      'Available=True/AsExpected: The hosted control plane is available',
    );
  });
  it('When it is not, it should pass on the root cause', () => {
    const hcp = aControlPlane({ conditions: [aCondition('Available', 'False', 'EtcdWaitingForQuorum', '1 of 3')] });
    expect(said(available(hcp, [blocked]))).toBe('Available=False/EtcdWaitingForQuorum: 1 of 3');
  });
  it('When there is none yet, it should wait, or name what blocks it', () => {
    expect(said(available(undefined, [progressing]))).toBe(
      'Available=False/WaitingForAvailable: Waiting for hosted control plane to be healthy',
    );
    expect(said(available(undefined, [blocked]))).toBe('Available=False/WaitingForAvailable: bad release');
  });
});

describe('what Available waits for', () => {
  const operator = (...conditions: readonly Condition[]) =>
    operatorProblem({ ...aControlPlane({ conditions }), kind: 'ControlPlaneComponent' } as never);
  it('When nothing stops the operator, it should be what a step waits for', () => {
    expect(said(available(undefined, [progressing], 'Secret x'))).toBe('Available=False/WaitingForAvailable: Secret x');
  });
  it('When a step failed, it should be that', () => {
    const failed: Verdict = { type: 'ReconciliationSucceeded', status: 'False', reason: 'x', message: 'no CRD' };
    expect(said(available(undefined, [progressing, failed], 'Secret x'))).toContain('no CRD');
  });
  it('When the control plane operator does not run, it should say why', () => {
    expect(operator(aCondition('Available', 'True'))).toBeUndefined();
    expect(operator(aCondition('Available', 'False', 'x', 'no node fits'))).toBe(
      'Waiting for the control plane operator: no node fits',
    );
    expect(
      operator(
        aCondition('Available', 'False', 'NotFound', 'deployments.apps not found'),
        aCondition('RolloutComplete', 'False', 'ReconciliationError', 'forbidden'),
      ),
    ).toBe('Waiting for the control plane operator: forbidden');
  });
});

describe('autoNodeEnabled', () => {
  const configured = aCluster({ autoNode: { provisionerConfig: { name: 'Karpenter' } } });
  const rolledOut =
    (...names: readonly string[]) =>
    (name: string) =>
      (names.includes(name)
        ? aControlPlane({ conditions: [aCondition('RolloutComplete', 'True')] })
        : undefined) as never;
  it.each([
    [aCluster(), rolledOut(), 'AutoNodeEnabled=False/AutoNodeNotConfigured: AutoNode is not configured'],
    [
      configured,
      rolledOut('karpenter-operator'),
      'AutoNodeEnabled=False/AutoNodeProgressing: Waiting for karpenter to be rolled out',
    ],
    [configured, rolledOut('karpenter', 'karpenter-operator'), 'AutoNodeEnabled=True/AsExpected: AutoNode is ready'],
  ])('When the components are as they are, it should say %#', (cluster, component, text) => {
    expect(said(autoNodeEnabled(cluster, component))).toBe(text);
  });
});

describe('bubbledConditions', () => {
  it('When there is no control plane, it should know nothing and say why', () => {
    const verdicts = bubbled(undefined);
    expect(of('EtcdAvailable', verdicts)).toEqual([
      'EtcdAvailable=Unknown/StatusUnknown: The hosted control plane is not found',
    ]);
    expect(of('Degraded', verdicts)).toEqual(['Degraded=Unknown/StatusUnknown: The hosted control plane is not found']);
    expect(of('ClusterVersionAvailable', verdicts)).toEqual([
      'ClusterVersionAvailable=Unknown/StatusUnknown: Condition not found in the CVO.',
    ]);
    expect(of('ClusterVersionRetrievedUpdates', verdicts)).toEqual([]);
  });
  it('When the control plane lacks a condition, it should say so', () => {
    expect(of('EtcdAvailable', bubbled([]))).toEqual([
      'EtcdAvailable=Unknown/StatusUnknown: Condition not found in the HCP',
    ]);
  });
  it('When the control plane has conditions, it should copy them', () => {
    const verdicts = bubbled([
      aCondition('EtcdAvailable', 'True', 'QuorumAvailable', 'ok'),
      aCondition('Degraded', 'False', 'AsExpected', 'whatever'),
      aCondition('ClusterVersionRetrievedUpdates', 'False', 'NoChannel', 'm'),
      aCondition('EtcdDataEncryptionUpToDate', 'True'),
    ]);
    expect(of('EtcdAvailable', verdicts)).toEqual(['EtcdAvailable=True/QuorumAvailable: ok']);
    expect(of('Degraded', verdicts)).toEqual(['Degraded=False/AsExpected: The hosted cluster is not degraded']);
    expect(of('ClusterVersionRetrievedUpdates', verdicts)).toHaveLength(1);
    expect(of('EtcdDataEncryptionUpToDate', verdicts)).toHaveLength(1);
  });
  it.each([
    ['True', 'False'],
    ['False', 'True'],
    ['Unknown', 'Unknown'],
  ] as const)('When the version operator failing is %s, succeeding should be %s', (failing, succeeding) => {
    const verdicts = bubbled([aCondition('ClusterVersionFailing', failing, 'FromClusterVersion', 'm')]);
    expect(of('ClusterVersionSucceeding', verdicts)).toEqual([
      `ClusterVersionSucceeding=${succeeding}/FromClusterVersion: m`,
    ]);
  });
  it('When a platform has conditions of its own, it should show them where they are', () => {
    const conditions = [aCondition('AWSDefaultSecurityGroupCreated', 'True')];
    expect(of('AWSDefaultSecurityGroupCreated', bubbled(conditions, 'AWS'))).toHaveLength(1);
    expect(of('AWSDefaultSecurityGroupCreated', bubbled([], 'AWS'))).toHaveLength(0);
    expect(of('AWSDefaultSecurityGroupCreated', bubbled(conditions))).toHaveLength(0);
  });
  it('When conditions are written, every type should be in the catalogue and once', () => {
    const types = bubbled([]).map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    for (const type of types) expect(Object.keys(hostedClusterConditions)).toContain(type);
  });
});

describe('conditions the operator decides', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it.each([
    [undefined, 'True/AsExpected: Reconciliation active on resource'],
    ['false', 'True/AsExpected: Reconciliation active on resource'],
    ['true', 'False/ReconciliationPaused: Reconciliation paused until field removed'],
    ['2026-01-01T01:00:00Z', 'False/ReconciliationPaused: Reconciliation paused until: 2026-01-01T01:00:00Z'],
    ['2025-01-01T01:00:00Z', 'True/AsExpected: Reconciliation active on resource'],
    ['soon', 'True/InvalidPausedUntilValue: Invalid value provided for PausedUntil field'],
  ])('When pausedUntil is %s, it should be %s', (pausedUntil, text) => {
    expect(said(reconciliationActive(aCluster({ pausedUntil }), now))).toBe(`ReconciliationActive=${text}`);
  });
  it('When a pause ends by itself, it should know when', () => {
    expect(pauseLeftMs(aCluster({ pausedUntil: '2026-01-01T01:00:00Z' }), now)).toBe(3_600_000);
    expect(pauseLeftMs(aCluster({ pausedUntil: 'true' }), now)).toBeUndefined();
  });
  it('When the ignition server is looked at, it should tell its state', () => {
    const deployment = (status: object) =>
      ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, status }) as never;
    expect(said(ignitionEndpointAvailable(undefined))).toBe(
      'IgnitionEndpointAvailable=False/NotFound: Ignition server deployment not found',
    );
    expect(said(ignitionEndpointAvailable(deployment({})))).toBe(
      'IgnitionEndpointAvailable=False/WaitingForAvailable: Ignition server deployment is not yet available',
    );
    expect(said(ignitionEndpointAvailable(deployment({ conditions: [{ type: 'Available', status: 'True' }] })))).toBe(
      'IgnitionEndpointAvailable=True/AsExpected: Ignition server deployment is available',
    );
  });
  it('When a reconcile ends, it should say how, with the known misspelling', () => {
    expect(said(reconciliationSucceeded(undefined))).toBe(
      'ReconciliationSucceeded=True/ReconciliatonSucceeded: Reconciliation completed successfully',
    );
    expect(said(reconciliationSucceeded(new Error('no')))).toBe(
      'ReconciliationSucceeded=False/ReconciliationError: no',
    );
  });
  it('When credentials are written, it should say whether they were found', () => {
    expect(said(platformCredentialsFound(undefined))).toBe(
      'PlatformCredentialsFound=True/AsExpected: Required platform credentials are found',
    );
    expect(platformCredentialsFound(new Error('x')).reason).toBe('PlatformCredentialsNotFound');
  });
  it('When a foreign etcd is used, it should check the client certificate', () => {
    const cluster = aCluster({
      etcd: {
        managementType: 'Unmanaged',
        unmanaged: { endpoint: 'https://e:2379', tls: { clientSecret: { name: 'tls' } } },
      },
    });
    const secret = (...keys: string[]) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {},
      data: Object.fromEntries(keys.map((key) => [key, ''])),
    });
    expect(unmanagedEtcd(aCluster(), undefined)).toBeUndefined();
    expect(unmanagedEtcd(cluster, undefined)?.message).toBe('missing TLS client secret tls');
    expect(unmanagedEtcd(cluster, secret('etcd-client.crt'))?.message).toBe('etcd secret tls does not have client key');
    expect(unmanagedEtcd(cluster, secret('etcd-client.crt', 'etcd-client.key', 'etcd-client-ca.crt'))?.reason).toBe(
      'UnmanagedEtcdAsExpected',
    );
  });
  it('When proxy, support and configuration are judged, it should use the known texts', () => {
    expect(validProxy(aCluster(), undefined).message).toBe('No proxy CA bundle configured');
    const proxied = aCluster({ configuration: { proxy: { trustedCA: { name: 'ca' } } } });
    expect(validProxy(proxied, 'bad pem').message).toBe(
      'Proxy CA bundle is invalid for HostedCluster clusters/demo: bad pem',
    );
    expect(supported(aCluster(), {}).message).toBe('HostedCluster is supported by operator configuration');
    const secret = aCluster({ platform: { type: 'AWS', aws: { endpointAccess: 'Private', region: 'r' } } });
    expect(supported(secret, {}).reason).toBe('UnsupportedHostedCluster');
    expect(said(validConfigurationVerdict([]))).toBe(
      'ValidConfiguration=True/AsExpected: Configuration passes validation',
    );
  });
});

describe('privateConnectivityConditions', () => {
  const object = (status: Condition['status'], message = '') =>
    ({
      apiVersion: 'x',
      kind: 'X',
      metadata: {},
      status: { conditions: [aCondition('AWSEndpointAvailable', status, 'r', message)] },
    }) as const;
  const judged = (objects: Parameters<typeof privateConnectivityConditions>[2], type: PlatformType = 'AWS') =>
    privateConnectivityConditions(aCluster({ platform: { type } }), platformFor(type), objects).map(said)[0];

  it('When some endpoint is bad, it should join the messages', () => {
    expect(judged([object('False', 'a'), object('True'), object('False', 'b')])).toBe(
      'AWSEndpointAvailable=False/AWSError: a; b',
    );
    expect(judged([object('True')])).toBe('AWSEndpointAvailable=True/AWSSuccess: All is well');
    expect(judged([])).toBe('AWSEndpointAvailable=Unknown/StatusUnknown: AWSEndpointService conditions not found');
    expect(judged([], 'Azure')).toBeUndefined();
    expect(judged([], 'None')).toBeUndefined();
  });
});

describe('unhealthyConditions', () => {
  it('When nothing is known, it should list everything that is missing', () => {
    const missing = unhealthyConditions(aCluster());
    expect(missing.map(({ type }) => type)).toContain('Available');
    expect(missing.every(({ found }) => found === undefined)).toBe(true);
  });
  it('When one condition is off, it should be the only one', () => {
    const conditions = unhealthyConditions(aCluster()).map(({ type, expected }) =>
      aCondition(type, expected as Condition['status']),
    );
    const sick = conditions.map((one) =>
      one.type === 'EtcdAvailable' ? aCondition('EtcdAvailable', 'False', 'X', 'no quorum') : one,
    );
    expect(unhealthyConditions(aCluster({}, {}, { conditions }))).toEqual([]);
    expect(unhealthyConditions(aCluster({}, {}, { conditions: sick }))).toEqual([
      { type: 'EtcdAvailable', expected: 'True', found: 'False', message: 'no quorum' },
    ]);
  });
});
