import { describe, expect, it } from 'vitest';
import type { MachineDeployment, MachineSet, MachineSetSpecTemplate } from '../generated/capiv1beta1.ts';
import { differencesFrom } from './template-equality.ts';

const made = '2026-01-01T00:00:00Z';
const now = Date.parse('2026-02-01T00:00:00Z');

function aTemplate(spec: Partial<MachineSetSpecTemplate['spec']> = {}): MachineSetSpecTemplate {
  return {
    spec: {
      clusterName: 'demo',
      version: '4.20.0',
      bootstrap: { dataSecretName: 'user-data-1' },
      infrastructureRef: { apiVersion: 'infra/v1beta1', kind: 'AWSMachineTemplate', name: 'a' },
      ...spec,
    },
  };
}

function differences(wanted: MachineSetSpecTemplate, rolloutAfter?: string): readonly string[] {
  const set = { metadata: { creationTimestamp: made }, spec: { template: aTemplate() } } as MachineSet;
  const spec = { template: wanted, ...(rolloutAfter ? { rolloutAfter } : {}) };
  return differencesFrom({ metadata: {}, spec } as unknown as MachineDeployment, set, now);
}

describe('differencesFrom', () => {
  it('When the deployment wants what the set makes, it should find nothing', () => {
    expect(differences(aTemplate())).toEqual([]);
  });

  it('When version, data and infrastructure are others, it should name each as upstream does', () => {
    const infrastructureRef = { apiVersion: 'infra/v1beta2', kind: 'AWSMachineTemplate', name: 'b' };
    const wanted = aTemplate({ version: '4.20.1', bootstrap: { dataSecretName: 'user-data-2' }, infrastructureRef });
    expect(differences(wanted)).toEqual([
      'Version 4.20.0, 4.20.1 required',
      'spec.bootstrap.dataSecretName user-data-1, user-data-2 required',
      'AWSMachine is not up-to-date',
    ]);
  });

  it('When a rollout was asked for after the set was made, it should say so', () => {
    expect(differences(aTemplate(), '2026-01-15T00:00:00Z')).toEqual(['MachineDeployment spec.rolloutAfter expired']);
  });
});
