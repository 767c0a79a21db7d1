import type { JsonObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { hasVectors, vectorJson } from '../testing/vectors.ts';
import { extractStatusFromManifestWorkFeedback } from './feedback.ts';
import type { WorkLookup } from './report.ts';
import { hostedClusterReport } from './report.ts';

interface Case {
  readonly id: string;
  readonly work: string;
  readonly feedbackStatus?: JsonObject;
  readonly conditions: readonly (readonly [string, string, string, string | null])[];
  readonly data?: JsonObject;
}

const aWork = (...values: JsonObject[]): UnstructuredObject => ({
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name: 'w' },
  status: {
    resourceStatus: {
      manifests: [
        { resourceMeta: { kind: 'Secret' }, statusFeedback: {} },
        { resourceMeta: { kind: 'HostedCluster' }, statusFeedback: { values } },
      ],
    },
  },
});

const raw = (jsonRaw: string): JsonObject => ({ name: 'status', fieldValue: { type: 'JsonRaw', jsonRaw } });

function lookup({ work, feedbackStatus = {} }: Case): WorkLookup {
  if (work === 'notFound') return { kind: 'created' };
  if (work.startsWith('error: ')) return { kind: 'failed', message: work.slice('error: '.length) };
  return { kind: 'found', status: extractStatusFromManifestWorkFeedback(aWork(raw(JSON.stringify(feedbackStatus)))) };
}

describe.runIf(hasVectors)('hostedClusterReport', () => {
  const cases = hasVectors ? vectorJson<{ cases: Case[] }>('expected/spike-status-mapping.json').cases : [];

  it.each(cases)('When the work is in the state $id, it should report as the contract says', (one) => {
    const { conditions, data } = hostedClusterReport(lookup(one));
    expect(conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual(
      one.conditions.map(([type, status, reason]) => [type, status, reason]),
    );
    one.conditions.forEach(([, , , message], i) => {
      if (message !== null) expect(conditions[i]!.message).toBe(message);
    });
    if (one.data) expect(data).toEqual(one.data);
  });
});

describe('extractStatusFromManifestWorkFeedback', () => {
  it.each<[string, UnstructuredObject | undefined]>([
    ['no work', undefined],
    ['no status', { apiVersion: 'v1', kind: 'ManifestWork', metadata: {} }],
    ['no values', aWork()],
    ['cut off JSON', aWork(raw('{"conditions":[{"ty'))],
    ['a list', aWork(raw('[]'))],
  ])('When there is %s, it should be as without feedback', (_, work) => {
    const report = hostedClusterReport({ kind: 'found', status: extractStatusFromManifestWorkFeedback(work) });
    expect(report.conditions.map(({ reason }) => reason)).toEqual(['ManifestWorkExists', 'Unknown', 'NoIssues']);
  });

  it('When raw JSON does not come through, it should use the scalars', () => {
    const scalar = (name: string, value: JsonObject): JsonObject => ({ name, fieldValue: value });
    const work = aWork(
      raw('{"conditions":[{"ty'),
      scalar('available', { type: 'String', string: 'True' }),
      scalar('degraded', { type: 'String', string: 'True' }),
      scalar('degradedMessage', { type: 'String', string: 'etcd is slow' }),
      scalar('controlPlaneHost', { type: 'String', string: 'api.test' }),
      scalar('controlPlanePort', { type: 'Integer', integer: 6443 }),
      scalar('version', { type: 'String', string: '4.17.3' }),
    );
    const report = hostedClusterReport({ kind: 'found', status: extractStatusFromManifestWorkFeedback(work) });
    expect(report.conditions[1]).toMatchObject({ status: 'True', reason: 'ControlPlaneReady' });
    expect(report.conditions[2]).toMatchObject({ status: 'False', message: 'Control plane is degraded: etcd is slow' });
    expect(report.data).toEqual({ control_plane_endpoint: 'https://api.test:6443', version: '4.17.3' });
  });
});
