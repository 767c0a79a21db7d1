import { appsv1, corev1, discoveryv1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMachine } from './cluster.ts';
import { eventually, namespace, startTwoClusters, type TwoClusters } from './harness.ts';

const taints = { 'hypershift.openshift.io/nodePoolTaints': 'null' };

describe('on AWS', () => {
  let test: TwoClusters;
  let stop: () => Promise<void>;
  const role = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
  const aws = {
    region: 'eu-west-1',
    rolesRef: {
      ingressARN: role('ingress'),
      imageRegistryARN: role('registry'),
      storageARN: role('storage'),
      networkARN: role('network'),
      kubeCloudControllerARN: role('ccm'),
      nodePoolManagementARN: role('nodes'),
      controlPlaneOperatorARN: role('cpo'),
    },
  };
  beforeAll(async () => {
    test = await startTwoClusters({ platform: { type: 'AWS', aws } });
    stop = test.run({ image: 'operator:1' });
  }, 60_000);
  afterAll(async () => {
    await stop?.();
    await test?.stop();
  });

  it('When a user adds a pull secret, the nodes should get both in one', async () => {
    const additional = JSON.stringify({ auths: { 'registry.example.com': { auth: 'dXNlcjpw' } } });
    await test.guest.create(corev1.secrets, {
      metadata: { namespace: 'kube-system', name: 'additional-pull-secret' },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': Buffer.from(additional).toString('base64') },
    });
    const merged = { namespace: 'kube-system', name: 'global-pull-secret' };
    await eventually(async () => {
      const { data } = await test.guest.get(corev1.secrets, merged);
      const text = Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString();
      expect(Object.keys(JSON.parse(text).auths)).toEqual(['registry.example.com']);
      const syncer = await test.guest.get(appsv1.daemonsets, { ...merged, name: 'global-pull-secret-syncer' });
      expect(syncer.spec?.template.spec?.containers[0]?.image).toBe('operator:1');
    });
    await test.guest.delete(corev1.secrets, { namespace: 'kube-system', name: 'additional-pull-secret' });
    await eventually(async () => {
      await expect(test.guest.get(corev1.secrets, merged)).rejects.toSatisfy(isNotFound);
    });
  });

  it('When the cloud announces to take a machine away, it should be replaced, but only one that may be', async () => {
    await addMachine(test, 'steady', { annotations: taints });
    await addMachine(test, 'spot', {
      annotations: taints,
      labels: { 'hypershift.openshift.io/interruptible-instance': '' },
    });
    const spec = { taints: [{ key: 'aws-node-termination-handler/spot-itn', effect: 'NoSchedule' }] };
    for (const name of ['steady', 'spot']) {
      await eventually(async () => {
        const live = await test.guest.get(corev1.nodes, { name });
        expect(live.metadata.annotations?.['hypershift.openshift.io/labelsSynced']).toBe('true');
      });
      await test.guest.patch(corev1.nodes, { name }, { type: 'merge', body: { spec } });
    }
    await eventually(async () => {
      await expect(test.client.get(capiv1beta1.machines, { namespace, name: 'spot' })).rejects.toSatisfy(isNotFound);
    });
    await test.client.get(capiv1beta1.machines, { namespace, name: 'steady' });
  });
});

describe('on KubeVirt', () => {
  let test: TwoClusters;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    test = await startTwoClusters({ platform: { type: 'KubeVirt', kubevirt: { generateID: 'abcde' } } });
    stop = test.run();
  }, 60_000);
  afterAll(async () => {
    await stop?.();
    await test?.stop();
  });

  it('When a machine has an address, Services without a selector should lead to it', async () => {
    await test.client.create(corev1.services, {
      metadata: { namespace, name: 'default-ingress-passthrough-service-abcde' },
      spec: { ports: [{ name: 'https-443', port: 443, targetPort: 31_443, protocol: 'TCP' }] },
    });
    await addMachine(test, 'vm-0', { annotations: taints });
    const status = {
      phase: 'Running',
      addresses: [
        { type: 'InternalIP', address: '169.254.1.1' },
        { type: 'InternalIP', address: '10.1.2.3' },
      ],
    };
    await test.client.patch(
      capiv1beta1.machines,
      { namespace, name: 'vm-0' },
      { type: 'merge', body: { status } },
      {
        subresource: 'status',
      },
    );
    await eventually(async () => {
      const slice = await test.client.get(discoveryv1.endpointslices, {
        namespace,
        name: 'default-ingress-passthrough-service-abcde-vm-0-ipv4',
      });
      expect(slice.endpoints).toMatchObject([{ addresses: ['10.1.2.3'], conditions: { ready: true } }]);
      expect(slice.ports).toMatchObject([{ name: 'https-443', port: 31_443 }]);
    });
  });
});
