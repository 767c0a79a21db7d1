import { describe, expect, it } from 'vitest';
import { aContainer, aTemplate, cellsOf, created, faults, updateFaults } from '../testing/objects.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { replicaSet } from './replica-set.ts';
import { statefulSet } from './stateful-set.ts';

const selector = { matchLabels: { app: 'web' } };
const aSpec = (fields: object = {}) => ({ spec: { selector, template: aTemplate(), ...fields } });

describe('workload defaults', () => {
  it('When a deployment is short, it should get the usual rollout', () => {
    expect(created(deployment, aSpec())['spec']).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: { spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30 } },
    });
  });

  it('When a template has limits, it should not get requests: only pods do', () => {
    const object = created(
      deployment,
      aSpec({ template: aTemplate({ containers: [aContainer({ resources: { limits: { cpu: '1' } } })] }) }),
    );
    expect(object['spec']).toMatchObject({
      template: { spec: { containers: [{ resources: { limits: { cpu: '1' } } }] } },
    });
    expect(JSON.stringify(object)).not.toContain('requests');
    expect(JSON.stringify(object)).not.toContain('enableServiceLinks');
  });

  it('When a stateful set and a daemon set are short, it should fill in theirs', () => {
    expect(created(statefulSet, aSpec())['spec']).toMatchObject({
      podManagementPolicy: 'OrderedReady',
      replicas: 1,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
    expect(created(daemonSet, aSpec())['spec']).toMatchObject({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    });
  });
});

describe('workload validation', () => {
  it.each([
    ['deployment', deployment],
    ['replica set', replicaSet],
    ['stateful set', statefulSet],
    ['daemon set', daemonSet],
  ])('When a %s is sound, it should find nothing', (_name, behaviour) => {
    expect(faults(behaviour, aSpec())).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    [
      'the selector does not match',
      { selector: { matchLabels: { app: 'other' } } },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    ['there is no selector', { selector: undefined }, ['spec.selector: Required value']],
    [
      'replicas are negative',
      { replicas: -1 },
      ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'nothing may move',
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
    ],
    [
      'pods would not restart',
      { template: aTemplate({ restartPolicy: 'Never' }) },
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
  ])('When %s in a deployment, it should say so', (_case, fields, expected) => {
    expect(faults(deployment, aSpec(fields))).toEqual(expected);
  });

  it('When a selector changes, it should be immutable', () => {
    const after = aSpec({ selector: { matchLabels: { app: 'web', v: '2' } } });
    expect(updateFaults(deployment, aSpec(), after)).toContain(
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","v":"2"}}: field is immutable',
    );
  });

  it('When a stateful set changes its service, it should say what may change', () => {
    expect(updateFaults(statefulSet, aSpec({ serviceName: 'a' }), aSpec({ serviceName: 'b' }))).toEqual([
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
    expect(updateFaults(statefulSet, aSpec({ replicas: 1 }), aSpec({ replicas: 3 }))).toEqual([]);
  });
});

describe('workload columns', () => {
  it('When a deployment is rolled out, it should show its counters', () => {
    expect(
      cellsOf(deployment, {
        spec: { replicas: 3, selector, template: aTemplate() },
        status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 2 },
      }),
    ).toEqual(['thing', '2/3', 3, 2, '10m', 'web', 'registry.example.com/web:1.2', 'app=web']);
  });
});
