import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/clusters.ts';
import { desiredNamespace, nextSecurityContextUid, SecurityContextUids } from './index.ts';

const facts = { restrictedPodSecurity: false, clusterMonitoring: false };

describe('desiredNamespace', () => {
  it('When nothing is special, it should be privileged and lead back to the cluster', () => {
    expect(desiredNamespace(aCluster({}, { name: 'my.demo' }), facts).metadata).toEqual({
      name: 'clusters-my-demo',
      labels: {
        'hypershift.openshift.io/hosted-control-plane': 'true',
        'pod-security.kubernetes.io/enforce': 'privileged',
        'pod-security.kubernetes.io/audit': 'privileged',
        'pod-security.kubernetes.io/warn': 'privileged',
        'security.openshift.io/scc.podSecurityLabelSync': 'false',
      },
      annotations: { 'hypershift.openshift.io/cluster': 'clusters/my.demo' },
    });
  });

  it('When the image can be restricted, it should be, unless the cluster says otherwise', () => {
    const level = (cluster = aCluster()) =>
      desiredNamespace(cluster, { ...facts, restrictedPodSecurity: true }).metadata.labels?.[
        'pod-security.kubernetes.io/enforce'
      ];
    expect(level()).toBe('restricted');
    const key = 'hypershift.openshift.io/pod-security-admission-label-override';
    expect(level(aCluster({}, { annotations: { [key]: 'baseline' } }))).toBe('baseline');
  });

  it('When monitored or without user ids of the platform, it should say so', () => {
    const { metadata } = desiredNamespace(aCluster(), { ...facts, clusterMonitoring: true, securityContextUid: 1007 });
    expect(metadata.labels?.['openshift.io/cluster-monitoring']).toBe('true');
    expect(metadata.annotations?.['hypershift.openshift.io/default-security-context-uid']).toBe('1007');
  });
});

describe('SecurityContextUids', () => {
  const key = 'hypershift.openshift.io/default-security-context-uid';
  const namespace = (name: string, uid?: number) => ({
    apiVersion: 'v1' as const,
    kind: 'Namespace' as const,
    metadata: { name, ...(uid ? { annotations: { [key]: String(uid) } } : {}) },
  });
  it('When two namespaces are made at once, they should get different ids, and each the same again', () => {
    const uids = new SecurityContextUids();
    const none = () => [namespace('old', 1001)];
    expect([uids.of('a', undefined, none), uids.of('b', undefined, none), uids.of('a', undefined, none)]).toEqual([
      1002, 1003, 1002,
    ]);
    expect(uids.of('a', namespace('a', 1007), none)).toBe(1007);
    uids.forget('b');
    expect(uids.of('c', undefined, none)).toBe(1002);
  });
});

describe('nextSecurityContextUid', () => {
  const withUid = (uid: number) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { annotations: { 'hypershift.openshift.io/default-security-context-uid': String(uid) } },
  });
  it('When some are taken, it should fill the gap', () => {
    expect(nextSecurityContextUid([])).toBe(1001);
    expect(nextSecurityContextUid([withUid(1001), withUid(1003)])).toBe(1002);
  });
  it('When all are taken, it should say what to do', () => {
    const all = Array.from({ length: 10_000 }, (_, index) => withUid(1001 + index));
    expect(() => nextSecurityContextUid(all)).toThrow('delete hosted clusters');
  });
});
