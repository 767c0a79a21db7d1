import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { nodeHealth, oldNodeHealth } from './node-health.ts';

const types = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

function aNode(statuses: { readonly [type: string]: string }, message = ''): corev1.Node {
  const conditions = Object.entries(statuses).map(([type, status]) => ({ type, status, message }));
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { conditions } };
}

const well = { Ready: 'True', MemoryPressure: 'False', DiskPressure: 'False', PIDPressure: 'False' };

// As the manager of Cluster API 1.13 said it of the same nodes.
describe('the health of a node', () => {
  it('When it is ready and under no pressure, it should be healthy', () => {
    expect(nodeHealth(aNode(well))).toMatchObject({ status: 'True', reason: 'NodeHealthy', message: '' });
    expect(oldNodeHealth(aNode(well))).toEqual({ type: 'NodeHealthy', status: 'True' });
  });

  it('When its kubelet has gone silent, it should be unknown and say so once', () => {
    const silent = aNode(Object.fromEntries(types.map((type) => [type, 'Unknown'])), 'cut off');
    expect(nodeHealth(silent)).toMatchObject({
      status: 'Unknown',
      reason: 'NodeHealthyUnknown',
      message: '* Node.AllConditions: cut off',
    });
    expect(oldNodeHealth(silent).message).toBe(types.map((type) => `Node condition ${type} is Unknown`).join('. '));
  });

  it('When it is not ready, it should be unhealthy in both', () => {
    const node = aNode({ ...well, Ready: 'False' }, 'cut off');
    expect(nodeHealth(node)).toMatchObject({
      status: 'False',
      reason: 'NodeNotHealthy',
      message: '* Node.Ready: cut off',
    });
    expect(oldNodeHealth(node)).toMatchObject({
      status: 'False',
      reason: 'NodeConditionsFailed',
      message: 'Node condition Ready is False',
    });
  });

  it('When it has not reported everything yet, only the newer condition should wait for it', () => {
    const node = aNode({ Ready: 'True', MemoryPressure: 'False' });
    expect(nodeHealth(node)).toMatchObject({
      status: 'Unknown',
      message: '* Node.DiskPressure: Condition not yet reported\n* Node.PIDPressure: Condition not yet reported',
    });
    expect(oldNodeHealth(node).status).toBe('True');
  });
});
