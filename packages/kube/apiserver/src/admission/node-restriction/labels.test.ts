import { describe, expect, it } from 'vitest';
import { forbiddenLabels } from './labels.ts';

describe('forbiddenLabels', () => {
  it('When a node registers as a worker, it should be allowed, but not to change that later', () => {
    const worker = { 'node-role.kubernetes.io/worker': '' };
    expect(forbiddenLabels(worker, undefined)).toEqual([]);
    expect(forbiddenLabels(worker, {})).toEqual(['node-role.kubernetes.io/worker']);
    expect(forbiddenLabels({ 'node-role.kubernetes.io/infra': '' }, undefined)).toHaveLength(1);
  });
});
