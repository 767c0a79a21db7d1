import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { aCluster, aComponent, aPod, aPool, done, facts, no, waitsFor, yes } from '../testing/objects.ts';
import { clusterText } from './cluster-text.ts';
import { nodePoolText } from './node-pool-text.ts';
import { rootCause } from './root-cause.ts';
import { rolloutOf, rolloutText } from './rollout.ts';
import { folded, treeText } from './tree.ts';

const plain = picocolors.createColors(false) as typeof picocolors;
const now = Date.parse('2026-01-01T01:00:00Z');
const crashed = {
  phase: 'Running',
  containerStatuses: [
    {
      name: 'etcd',
      ready: false,
      restartCount: 3,
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'disk full' } },
    },
  ],
};

describe('rootCause', () => {
  it('When a spec is wrong, it should tell that and not what follows from it', () => {
    const cluster = aCluster([
      no('Available', 'WaitingForAvailable', 'Waiting for hosted control plane to be healthy'),
      no('ValidReleaseImage', 'SecretNotFound', 'Secret clusters/pull does not exist'),
      no('EtcdAvailable', 'StatusUnknown', 'Condition not found in the HCP'),
    ]);
    expect(rootCause(facts(cluster))).toMatchObject({
      condition: 'ValidReleaseImage',
      message: 'Secret clusters/pull does not exist',
    });
  });

  it('When components wait for one whose pod crashes, it should name the pod', () => {
    const cluster = aCluster([
      no('Available', 'EtcdWaitingForQuorum', 'Waiting for etcd to reach quorum'),
      no('EtcdAvailable', 'EtcdWaitingForQuorum', 'Waiting for etcd to reach quorum'),
    ]);
    const components = [
      aComponent('kube-apiserver', waitsFor('etcd')),
      aComponent('etcd', [
        no('Available', 'WaitingForAvailable', 'no quorum'),
        no('RolloutComplete', 'WaitingForRolloutComplete', '0 of 1'),
      ]),
    ];
    expect(rootCause(facts(cluster, { components, pods: [aPod('etcd-0', 'etcd', crashed)] }))).toEqual({
      subject: 'Pod clusters-demo/etcd-0',
      message: 'container etcd: CrashLoopBackOff: disk full, 3 restarts',
    });
  });

  it('When a component cannot be written, it should name the component and its error', () => {
    const cluster = aCluster([no('Available', 'ComponentsNotAvailable', 'Waiting for components to be available')]);
    const components = [
      aComponent('oauth-openshift', waitsFor('kube-apiserver')),
      aComponent('ignition-server', [
        no('Available', 'NotFound', ''),
        no('RolloutComplete', 'ReconciliationError', 'quota exceeded'),
      ]),
    ];
    expect(rootCause(facts(cluster, { components }))).toMatchObject({
      subject: 'ControlPlaneComponent clusters-demo/ignition-server',
      message: 'quota exceeded',
    });
  });

  it('When the cluster is available, it should look at its node pools', () => {
    const pool = aPool(2, 0, [no('AllMachinesReady', 'WaitingForInfrastructure', '2 of 2 machines are not ready\n')]);
    expect(rootCause(facts(aCluster([yes('Available')]), { nodePools: [pool] }))).toMatchObject({
      subject: 'NodePool clusters/demo',
      condition: 'AllMachinesReady',
    });
  });

  it('When all is well, it should have nothing to say', () => {
    expect(rootCause(facts(aCluster([yes('Available')]), { nodePools: [aPool(0, 0)] }))).toBeUndefined();
  });

  it('When it is being deleted, it should tell the phase and what blocks it', () => {
    const cluster = aCluster(
      [
        {
          type: 'HostedClusterDeleting',
          status: 'True',
          reason: 'WaitingForNamespaceDeletion',
          message: 'step 5 of 5: waiting for Namespace clusters-demo',
        },
      ],
      { deletionTimestamp: '2026-01-01T00:30:00Z', finalizers: ['hypershift.openshift.io/finalizer'] },
    );
    expect(rootCause(facts(cluster))?.message).toContain('step 5 of 5');
  });

  it('When no operator ever looked at it, it should say that', () => {
    expect(rootCause(facts(aCluster()))?.message).toContain('no operator has looked at it yet');
  });
});

describe('clusterText', () => {
  it('When much is the same, it should fold it and put the root cause on top', () => {
    const cluster = aCluster([
      no('Available', 'KASNotReady', 'x'),
      no('KubeAPIServerAvailable', 'WaitingForAvailable', 'kube-apiserver is not ready'),
    ]);
    const waiting = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => aComponent(name, waitsFor('kube-apiserver')));
    const components = [
      aComponent('etcd', done),
      ...waiting,
      aComponent('kube-apiserver', [
        no('Available', 'WaitingForAvailable', 'not ready'),
        no('RolloutComplete', 'WaitingForRolloutComplete', 'rollout'),
      ]),
    ];
    const pods = [
      aPod('kube-apiserver-1', 'kube-apiserver', {
        ...crashed,
        containerStatuses: [{ ...crashed.containerStatuses[0], name: 'kas' }],
      }),
    ];
    const text = clusterText(
      facts(cluster, { components, pods, hostedControlPlane: {} as HostedControlPlane }),
      plain,
      now,
    );
    expect(text.split('\n')).toEqual([
      'Root cause: container kas: CrashLoopBackOff: disk full, 3 restarts',
      '  told by Pod clusters-demo/kube-apiserver-1',
      '',
      'Name:           clusters/demo',
      'Platform:       None',
      'Release:        registry.example.com/release:4.20.1',
      'Infra ID:       demo-abcde',
      'Age:            60m',
      '',
      '✗ HostedCluster clusters/demo  KASNotReady: x',
      '├─ ✗ Conditions  not as on a healthy cluster',
      '│  ├─ ✗ Condition Available=False  KASNotReady: x',
      '│  └─ ✗ Condition KubeAPIServerAvailable=False  WaitingForAvailable: kube-apiserver is not ready',
      '├─ ✗ Control plane  namespace clusters-demo, 1 of 9 components rolled out, 1 pods',
      '│  ├─ ✗ Component kube-apiserver  WaitingForAvailable: not ready',
      '│  │  └─ ✗ Pod kube-apiserver-1  container kas: CrashLoopBackOff: disk full, 3 restarts',
      '│  ├─ … 7 × Component: a, b, c, d, and 3 more  Waiting for Dependencies: kube-apiserver',
      '│  └─ ✓ Component etcd  4.20.1',
      '└─ Node pools  none',
    ]);
  });

  it('When all is well, it should begin with the facts', () => {
    const cluster = aCluster([yes('Available')]);
    expect(clusterText(facts(cluster, { components: [aComponent('etcd', done)] }), plain, now)).toMatch(/^Name:/);
  });
});

describe('tree', () => {
  it('When siblings differ in anything, it should keep them apart', () => {
    const nodes = [
      { kind: 'Pod', name: 'a', state: 'bad', detail: 'x' },
      { kind: 'Pod', name: 'b', state: 'bad', detail: 'y' },
      { kind: 'Pod', name: 'c', state: 'bad', detail: 'x', children: [{ name: 'd', state: 'good' }] },
    ] as const;
    expect(folded(nodes)).toEqual(nodes);
  });

  it('When colours are on, it should paint marks only', () => {
    const colors = picocolors.createColors(true) as typeof picocolors;
    expect(treeText({ kind: 'Pod', name: 'a', state: 'bad' }, colors)).toBe('\u001b[31m✗\u001b[39m Pod a');
  });
});

describe('rollout', () => {
  const updating = [
    {
      type: 'UpdatingVersion',
      status: 'True' as const,
      message: 'Updating version in progress. Target version: 4.20.3',
    },
  ];
  const marks = { annotations: { 'hypershift.openshift.io/nodePool': 'clusters/demo' } };

  it('When machines are replaced, it should count by the MachineDeployment', () => {
    const deployment = { metadata: marks, status: { replicas: 5, updatedReplicas: 2, unavailableReplicas: 1 } };
    const rollout = rolloutOf(aPool(5, 5, updating), [deployment as unknown as capiv1beta1.MachineDeployment], []);
    expect(rollout && rolloutText(rollout)).toBe('[████████············] 2 of 5 nodes updated, 1 unavailable');
  });

  it('When machines are upgraded in place, it should count by what the upgrader says', () => {
    const text = 'Nodepool update in progress. Target Config version: abc. Total Nodes: 4. Upgraded: 3';
    const set = {
      metadata: {
        annotations: { ...marks.annotations, 'hypershift.openshift.io/nodePoolUpgradeInProgressTrue': text },
      },
    };
    expect(rolloutOf(aPool(4, 4, updating), [], [set as unknown as capiv1beta1.MachineSet])).toMatchObject({
      updated: 3,
      total: 4,
    });
  });

  it('When nothing is updated, it should be none', () => {
    expect(rolloutOf(aPool(4, 4), [], [])).toBeUndefined();
  });
});

describe('nodePoolText', () => {
  it('When the cluster is what holds the pool back, it should say so', () => {
    const text = nodePoolText(
      {
        pool: aPool(2, 0, [no('ValidMachineConfig', 'ValidationFailed', 'no kubeconfig')]),
        cluster: aCluster([no('Available', 'x', 'x'), no('EtcdAvailable', 'EtcdWaitingForQuorum', 'no quorum')]),
        machines: [],
        deployments: [],
        sets: [],
      },
      plain,
      now,
    );
    expect(text).toContain(
      'Blocked by: no quorum\n  told by HostedCluster clusters/demo (EtcdAvailable, EtcdWaitingForQuorum)',
    );
    expect(text).toContain('✗ NodePool demo  0 of 2 nodes');
  });
});
