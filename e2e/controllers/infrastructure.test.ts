import type { corev1, storagev1 } from '@hypershift-ts/kube-apimachinery';
import {
  batchv1,
  certificatesv1,
  coordinationv1,
  corev1 as core,
  formatMicroTime,
  formatTime,
  isNotFound,
  rbacv1,
  storagev1 as storage,
} from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { createRequest, generateKeys, nodeCertificate, parseCertificates } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCluster } from './testing/cluster.ts';
import { aNode, eventReasons, eventually, testCluster } from './testing/cluster.ts';

const namespace = 'default';
const directories = new Set<string>();
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await testCluster({
    nodes: 1,
    controllers: {
      signer: (identity) => ({ authority: identity.authority }),
      serviceAccountPrivateKey: (identity) => identity.serviceAccountKey,
      approval: { kubeletServing: true },
      nodeLifecycle: { monitorGracePeriodMs: 1_500 },
      nodeIpam: { clusterCidr: '10.244.0.0/16' },
      localVolumes: {
        create: async (name) => {
          directories.add(name);
          return `/var/lib/volumes/${name}`;
        },
        remove: async (name) => void directories.delete(name),
      },
      loadBalancers: { allocate: async () => [{ ip: '127.0.50.1' }], release: async () => {} },
    },
  });
});
afterAll(() => cluster?.stop());

const beat = (name: string) =>
  cluster.client.patch(
    coordinationv1.leases,
    { namespace: 'kube-node-lease', name },
    {
      type: 'merge',
      body: { spec: { renewTime: formatMicroTime(Date.now()) } },
    },
  );

describe('certificate requests', () => {
  const ask = async (name: string, signerName: string, usages: string[], subject: object, dnsNames: string[] = []) => {
    const keys = await generateKeys();
    const request = await createRequest({ subject, keys, dnsNames });
    await cluster.client.create(certificatesv1.certificatesigningrequests, {
      metadata: { name },
      spec: { request: Buffer.from(request).toString('base64'), signerName, usages },
    } as NewObject<certificatesv1.CertificateSigningRequest>);
  };
  const get = (name: string) => cluster.client.get(certificatesv1.certificatesigningrequests, { name });
  const node = { commonName: 'system:node:n1', organizations: ['system:nodes'] };

  it('When a kubelet asks for its client certificate, it should be approved and signed', async () => {
    await ask('kubelet', 'kubernetes.io/kube-apiserver-client-kubelet', ['digital signature', 'client auth'], node);
    const csr = await eventually(async () => {
      const live = await get('kubelet');
      expect(live.status?.certificate).toBeDefined();
      return live;
    });
    expect(csr.status?.conditions?.[0]).toMatchObject({ type: 'Approved', reason: 'AutoApproved' });
    const [certificate] = parseCertificates(Buffer.from(csr.status?.certificate ?? '', 'base64').toString());
    expect(certificate && nodeCertificate(certificate).subject).toBe('O=system:nodes\nCN=system:node:n1');
  });

  it('When a request is not what its signer gives, it should fail with the reason', async () => {
    await ask('bad', 'kubernetes.io/kubelet-serving', ['digital signature', 'server auth'], node);
    await eventually(async () => expect((await get('bad')).metadata.name).toBe('bad'));
    const csr = await get('bad');
    const now = formatTime(Date.now());
    const condition = {
      type: 'Approved',
      status: 'True',
      reason: 'Test',
      message: '',
      lastUpdateTime: now,
      lastTransitionTime: now,
    };
    const status = { conditions: [condition] };
    await cluster.client.update(
      certificatesv1.certificatesigningrequests,
      { ...csr, status },
      { subresource: 'approval' },
    );
    await eventually(async () =>
      expect((await get('bad')).status?.conditions?.find(({ type }) => type === 'Failed')).toMatchObject({
        reason: 'SignerValidationFailure',
        message: 'Invalid CSR: DNS or IP subjectAltName is required',
      }),
    );
  });
});

describe('nodes', () => {
  it('When a node comes, it should get its block of addresses', async () => {
    await eventually(async () =>
      expect((await cluster.client.get(core.nodes, { name: 'node-0' })).spec?.podCIDRs).toEqual(['10.244.0.0/24']),
    );
  });

  it('When a node falls silent, it should become Unknown, lose its pods, and come back when it reports', async () => {
    const lease = {
      metadata: { name: 'mute', namespace: 'kube-node-lease' },
      spec: { holderIdentity: 'mute', leaseDurationSeconds: 40, renewTime: formatMicroTime(Date.now()) },
    };
    await cluster.client.create(coordinationv1.leases, lease as NewObject<coordinationv1.Lease>);
    await cluster.client.create(core.nodes, aNode('mute'));
    const tolerations = ['not-ready', 'unreachable'].map((name) => ({
      key: `node.kubernetes.io/${name}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 1,
    }));
    await cluster.client.create(core.pods, {
      metadata: { name: 'guest', namespace },
      spec: {
        nodeName: 'mute',
        tolerations,
        containers: [{ name: 'c', image: 'x' }],
        terminationGracePeriodSeconds: 0,
      },
    } as NewObject<corev1.Pod>);
    for (let i = 0; i < 6; i++) {
      await beat('mute');
      await new Promise((resolve) => setTimeout(resolve, 350));
    }
    const ready = async () =>
      (await cluster.client.get(core.nodes, { name: 'mute' })).status?.conditions?.find(({ type }) => type === 'Ready');
    expect((await ready())?.status).toBe('True');
    await eventually(async () =>
      expect(await ready()).toMatchObject({
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      }),
    );
    await eventually(async () => {
      const { spec } = await cluster.client.get(core.nodes, { name: 'mute' });
      expect(spec?.taints?.map(({ key, effect }) => `${key} ${effect}`).sort()).toEqual([
        'node.kubernetes.io/unreachable NoExecute',
        'node.kubernetes.io/unreachable NoSchedule',
      ]);
    });
    await eventually(async () =>
      expect(
        (await cluster.client.list(core.pods, { namespace })).items.map(({ metadata }) => metadata.name),
      ).not.toContain('guest'),
    );
    expect(await eventReasons(cluster.client, 'guest')).toContain('TaintManagerEviction');
    const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: formatTime(Date.now()) }];
    await cluster.client.patch(
      core.nodes,
      { name: 'mute' },
      { type: 'strategic', body: { status: { conditions } } },
      { subresource: 'status' },
    );
    await eventually(async () =>
      expect((await cluster.client.get(core.nodes, { name: 'mute' })).spec?.taints ?? []).toEqual([]),
    );
  });
});

describe('volumes', () => {
  it('When a claim asks for a local volume, it should be made, bound, protected while used, and given back', async () => {
    await cluster.client.create(storage.storageclasses, {
      metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'hypershift-ts.io/local',
    } as NewObject<storagev1.StorageClass>);
    await cluster.client.create(core.persistentvolumeclaims, {
      metadata: { name: 'data', namespace },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
    } as NewObject<corev1.PersistentVolumeClaim>);
    const claim = await eventually(async () => {
      const live = await cluster.client.get(core.persistentvolumeclaims, { namespace, name: 'data' });
      expect(live.status).toMatchObject({ phase: 'Bound', capacity: { storage: '2Gi' } });
      return live;
    });
    const volume = await cluster.client.get(core.persistentvolumes, { name: claim.spec?.volumeName ?? '' });
    expect(volume.status?.phase).toBe('Bound');
    expect([...directories]).toEqual([volume.metadata.name]);
    await cluster.client.delete(core.persistentvolumeclaims, { namespace, name: 'data' });
    await eventually(async () => expect((await cluster.client.list(core.persistentvolumes)).items).toEqual([]));
    expect([...directories]).toEqual([]);
  });

  it('When a class waits for the first consumer, the claim should be bound once its pod has a node', async () => {
    await cluster.client.create(storage.storageclasses, {
      metadata: { name: 'late' },
      provisioner: 'hypershift-ts.io/local',
      volumeBindingMode: 'WaitForFirstConsumer',
    } as NewObject<storagev1.StorageClass>);
    await cluster.client.create(core.persistentvolumeclaims, {
      metadata: { name: 'late', namespace },
      spec: { storageClassName: 'late', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    } as NewObject<corev1.PersistentVolumeClaim>);
    const get = () => cluster.client.get(core.persistentvolumeclaims, { namespace, name: 'late' });
    await eventually(async () => expect((await get()).status?.phase).toBe('Pending'));
    await cluster.client.create(core.pods, {
      metadata: { name: 'consumer', namespace },
      spec: {
        containers: [{ name: 'c', image: 'x' }],
        terminationGracePeriodSeconds: 0,
        tolerations: [{ operator: 'Exists' }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'late' } }],
      },
    } as NewObject<corev1.Pod>);
    await eventually(async () => expect((await get()).status?.phase).toBe('Bound'));
    await cluster.client.delete(core.persistentvolumeclaims, { namespace, name: 'late' });
    await eventually(async () => expect((await get()).metadata.deletionTimestamp).toBeDefined());
    await cluster.client.delete(core.pods, { namespace, name: 'consumer' });
    await eventually(async () => expect((await cluster.client.list(core.persistentvolumes)).items).toEqual([]));
  });

  it('When a volume was made by hand, a claim that fits should be bound to the smallest', async () => {
    const volume = (name: string, size: string) =>
      cluster.client.create(core.persistentvolumes, {
        metadata: { name },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: size },
          hostPath: { path: `/x/${name}` },
          storageClassName: 'manual',
        },
      } as NewObject<corev1.PersistentVolume>);
    await volume('large', '10Gi');
    await volume('small', '1Gi');
    await volume('tiny', '1Mi');
    await cluster.client.create(core.persistentvolumeclaims, {
      metadata: { name: 'pick', namespace },
      spec: {
        storageClassName: 'manual',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '500Mi' } },
      },
    } as NewObject<corev1.PersistentVolumeClaim>);
    await eventually(async () =>
      expect(
        (await cluster.client.get(core.persistentvolumeclaims, { namespace, name: 'pick' })).spec?.volumeName,
      ).toBe('small'),
    );
    await eventually(async () => {
      const phases = (await cluster.client.list(core.persistentvolumes)).items.map(
        ({ metadata, status }) => `${metadata.name} ${status?.phase}`,
      );
      expect(phases.sort()).toEqual(['large Available', 'small Bound', 'tiny Available']);
    });
  });
});

describe('the rest', () => {
  it('When a service wants a load balancer, it should get an address and let go of it', async () => {
    await cluster.client.create(core.services, {
      metadata: { name: 'lb', namespace },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    } as NewObject<corev1.Service>);
    await eventually(async () =>
      expect(
        (await cluster.client.get(core.services, { namespace, name: 'lb' })).status?.loadBalancer?.ingress,
      ).toEqual([expect.objectContaining({ ip: '127.0.50.1' })]),
    );
    await cluster.client.delete(core.services, { namespace, name: 'lb' });
    await eventually(() =>
      expect(cluster.client.get(core.services, { namespace, name: 'lb' })).rejects.toSatisfy(isNotFound),
    );
  });

  it('When a token Secret is made by hand, it should be filled, and go with its account', async () => {
    await cluster.client.create(core.serviceaccounts, { metadata: { name: 'robot', namespace } });
    await cluster.client.create(core.secrets, {
      metadata: { name: 'robot-token', namespace, annotations: { 'kubernetes.io/service-account.name': 'robot' } },
      type: 'kubernetes.io/service-account-token',
    } as NewObject<corev1.Secret>);
    await eventually(async () => {
      const { data } = await cluster.client.get(core.secrets, { namespace, name: 'robot-token' });
      expect(Object.keys(data ?? {}).sort()).toEqual(['ca.crt', 'namespace', 'token']);
    });
    await cluster.client.delete(core.serviceaccounts, { namespace, name: 'robot' });
    await eventually(() =>
      expect(cluster.client.get(core.secrets, { namespace, name: 'robot-token' })).rejects.toSatisfy(isNotFound),
    );
  });

  it('When a cron job is due, it should start one job and remember when', async () => {
    const template = {
      metadata: { labels: { app: 'tick' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] },
    };
    const cron = await cluster.client.create(batchv1.cronjobs, {
      metadata: { name: 'tick', namespace },
      spec: { schedule: '*/5 * * * *', suspend: true, jobTemplate: { spec: { template } } },
    } as NewObject<batchv1.CronJob>);
    const status = { lastScheduleTime: formatTime(Date.now() - 600_000) };
    await cluster.client.update(batchv1.cronjobs, { ...cron, status }, { subresource: 'status' });
    await cluster.client.patch(
      batchv1.cronjobs,
      { namespace, name: 'tick' },
      { type: 'merge', body: { spec: { suspend: false } } },
    );
    await eventually(async () => {
      const jobs = (await cluster.client.list(batchv1.jobs, { namespace })).items;
      expect(jobs.map(({ metadata }) => metadata.name?.replace(/\d+$/, 'N'))).toEqual(['tick-N']);
      const live = await cluster.client.get(batchv1.cronjobs, { namespace, name: 'tick' });
      expect(live.status?.active?.[0]?.name).toBe(jobs[0]?.metadata.name);
      expect(Date.parse(live.status?.lastScheduleTime ?? '') % 300_000).toBe(0);
    });
  });

  it('When a role gathers others, it should have their rules', async () => {
    const rule = { apiGroups: ['example.org'], resources: ['webs'], verbs: ['get'] };
    await cluster.client.create(rbacv1.clusterroles, {
      metadata: { name: 'all' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { gather: 'yes' } }] },
      rules: [],
    } as NewObject<rbacv1.ClusterRole>);
    await cluster.client.create(rbacv1.clusterroles, {
      metadata: { name: 'part', labels: { gather: 'yes' } },
      rules: [rule],
    } as NewObject<rbacv1.ClusterRole>);
    await eventually(async () =>
      expect((await cluster.client.get(rbacv1.clusterroles, { name: 'all' })).rules).toEqual([rule]),
    );
  });

  it('When all is done, nobody should have complained', async () => {
    // Nodes without a kubelet are looked at every grace period, so there is no rest to wait for here.
    expect(cluster.logged).toEqual([]);
  });
});
