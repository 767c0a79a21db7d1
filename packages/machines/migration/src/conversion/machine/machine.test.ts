import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import { machineToClusterApi, machineToMachineApi, platformConversion } from '../../index.ts';
import { aws } from '../../testing/platforms/aws.ts';

const platform = platformConversion('AWS')!;

function aMachine(parts: Partial<mapiv1beta1.Machine>): mapiv1beta1.Machine {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {},
    ...parts,
    spec: { providerSpec: { value: { ...aws.providerSpec.base } }, ...parts.spec },
  };
}

const there = (parts: Partial<mapiv1beta1.Machine>) => machineToClusterApi(aMachine(parts), platform, aws.facts);

describe('A machine in the Machine API', () => {
  it('When Cluster API says more than can be said here, it should tell what is left behind', () => {
    const { machine, infraMachine } = there({ metadata: { name: 'm' } }).value;
    const configRef = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'c' };
    const spec = {
      ...machine.spec,
      bootstrap: { configRef },
      minReadySeconds: 5,
      readinessGates: [{ conditionType: 'Checked' }],
    };
    const { errors, warnings } = machineToMachineApi(
      { machine: { ...machine, spec }, infraMachine },
      platform,
      aws.facts,
    );
    expect(errors).toEqual([]);
    expect(warnings.map(({ field }) => field).sort()).toEqual([
      'spec.bootstrap.configRef',
      'spec.minReadySeconds',
      'spec.readinessGates',
    ]);
  });
});

describe('A machine in Cluster API', () => {
  it('When it belongs to the control plane, it should be labelled so and come back with its load balancers', () => {
    const labels = { 'machine.openshift.io/cluster-api-machine-role': 'master' };
    const { value } = there({ metadata: { name: 'm', labels } });
    expect(value.machine.metadata.labels).toMatchObject({
      'node-role.kubernetes.io/master': '',
      'cluster.x-k8s.io/control-plane': '',
    });
    const spec = { region: 'us-east-1', controlPlaneLoadBalancer: { name: 'int', loadBalancerType: 'nlb' } };
    const facts = { ...aws.facts, infraCluster: { ...aws.facts.infraCluster!, spec } };
    const back = machineToMachineApi(value, platform, facts).value;
    expect(back.spec.providerSpec?.value?.['loadBalancers']).toEqual([{ name: 'int', type: 'network' }]);
    expect(back.metadata.labels).toMatchObject(labels);
  });

  it('When the autoscaler has bounds for it, it should find them under the other name, and back', () => {
    const annotations = {
      'machine.openshift.io/cluster-api-autoscaler-node-group-min-size': '1',
      'machine.openshift.io/autoscaling-options-scaledownunneededtime': '5m',
      'capacity.cluster-autoscaler.kubernetes.io/cpu': '4',
    };
    const { value } = there({ metadata: { name: 'm', annotations } });
    expect(value.machine.metadata.annotations).toEqual({
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '1',
      'cluster.x-k8s.io/autoscaling-options-scaledownunneededtime': '5m',
      'capacity.cluster-autoscaler.kubernetes.io/cpu': '4',
    });
    expect(machineToMachineApi(value, platform, aws.facts).value.metadata.annotations).toEqual(annotations);
  });

  it('When it is paused, it should not show that in the Machine API', () => {
    const { machine, infraMachine } = there({ metadata: { name: 'm' } }).value;
    const paused = { ...machine, metadata: { ...machine.metadata, annotations: { 'cluster.x-k8s.io/paused': '' } } };
    const { value } = machineToMachineApi({ machine: paused, infraMachine }, platform, aws.facts);
    expect([value.metadata.annotations, value.spec.metadata?.annotations]).toEqual([undefined, undefined]);
  });

  it.each([
    [undefined, undefined, ['False', 'False', 'False', 'False', 'False', 'False']],
    ['Provisioning', [false, false], ['False', 'False', 'False', 'False', 'False', 'False']],
    ['Provisioned', [true, false], ['False', 'False', 'False', 'True', 'False', 'False']],
    ['Running', [true, true], ['True', 'True', 'True', 'True', 'False', 'True']],
    ['Deleting', [true, true], ['False', 'False', 'True', 'True', 'True', 'True']],
  ])('When its phase is %s, it should have the conditions that go with it', (phase, initialized, statuses) => {
    const { machine } = there({
      metadata: { name: 'm', ...(phase === 'Deleting' ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
      status: { nodeRef: { name: 'node' }, ...(phase ? { phase } : {}) },
    }).value;
    const { initialization, conditions } = machine.status!;
    expect(
      initialization && [initialization.infrastructureProvisioned, initialization.bootstrapDataSecretCreated],
    ).toEqual(initialized);
    expect(conditions?.map(({ status }) => status)).toEqual(statuses);
  });

  it('When its address is of no known type, it should be refused once', () => {
    const { errors } = there({ metadata: { name: 'm' }, status: { addresses: [{ type: 'Pigeon', address: 'roof' }] } });
    expect(errors).toMatchObject([
      { field: 'status.addresses', message: expect.stringContaining('Pigeon unrecognized address type') as string },
    ]);
  });

  it('When nobody knows the name of the infrastructure, it should be refused', () => {
    const facts = { ...aws.facts, infrastructure: { infrastructureName: '' } };
    const { errors } = machineToClusterApi(aMachine({ metadata: { name: 'm' } }), platform, facts);
    expect(errors.map(({ field }) => field)).toEqual(['infrastructure.status.infrastructureName']);
  });

  it('When its provider id names no instance, it should be refused', () => {
    const machine = aMachine({ metadata: { name: 'm' } });
    const spec = { ...machine.spec, providerID: 'aws:///us-east-1a/unknown' };
    const { errors } = machineToClusterApi({ ...machine, spec }, platform, aws.facts);
    expect(errors).toMatchObject([{ field: 'spec.providerID' }]);
  });
});
