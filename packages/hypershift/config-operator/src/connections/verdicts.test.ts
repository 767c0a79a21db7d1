import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { controlPlaneConnection, dataPlaneConnection } from './verdicts.ts';

const now = Date.UTC(2026, 0, 1);
const checked = (data: Record<string, string>) => ({ metadata: {}, data }) as corev1.ConfigMap;

describe('dataPlaneConnection', () => {
  it.each([
    [{ nodes: 0, running: 0, logsRead: false }, 'Unknown', 'NoWorkerNodesAvailable'],
    [{ nodes: 2, running: 0, logsRead: false }, 'False', 'KonnectivityAgentPodsNotFound'],
    [{ nodes: 2, running: 1, logsRead: false }, 'False', 'KonnectivityAgentPodsNotFound'],
    [{ nodes: 2, running: 1, logsRead: true }, 'True', 'AsExpected'],
  ])('When facts are %j, it should be %s %s', (facts, status, reason) => {
    expect(dataPlaneConnection(facts)).toMatchObject({ status, reason });
  });
});

describe('controlPlaneConnection', () => {
  it.each([
    [0, undefined, 'Unknown', 'NoWorkerNodesAvailable'],
    [1, undefined, 'Unknown', 'ConfigMapNotFound'],
    [1, checked({}), 'False', 'KASAccessFailed'],
    [1, checked({ lastSucceeded: 'yesterday' }), 'False', 'KASAccessFailed'],
    [1, checked({ lastSucceeded: '2025-12-31T23:54:59Z' }), 'False', 'ConnectionCheckStale'],
    [1, checked({ lastSucceeded: '2025-12-31T23:55:01Z' }), 'True', 'AsExpected'],
  ])('When %d nodes last wrote %j, it should be %s %s', (nodes, check, status, reason) => {
    expect(controlPlaneConnection(nodes, check, now)).toMatchObject({ status, reason });
  });
});
