import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { coordinationv1, corev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { silentLogger } from '@hypershift-ts/kube-controller';
import {
  HostedClusters,
  httpsConnections,
  ignitionAgent,
  Layers,
  type MachineHost,
  operatingSystemOf,
  SettingsByLayer,
  SimulatedMachine,
} from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedClusterUnderTest, startHostedCluster } from './harness.ts';

/** A machine by itself: user data in, node out. */
describe('a machine that boots', () => {
  let hosted: HostedClusterUnderTest;
  let host: MachineHost;
  const machines: SimulatedMachine[] = [];
  const machine = (name: string, address: string, userData = hosted.userData): SimulatedMachine => {
    const made = new SimulatedMachine(
      {
        id: `i-${name}`,
        directory: join(hosted.directory, 'machines', name),
        userData: async () => userData,
        nodeName: name,
        address,
        providerID: `aws:///us-east-1a/i-${name}`,
        cpu: 4,
        memoryMiB: 16_384,
        labels: { 'topology.kubernetes.io/zone': 'us-east-1a' },
      },
      host,
    );
    machines.push(made);
    return made;
  };
  const node = (name: string) => hosted.client.get(corev1.nodes, { name });
  const ready = (found: corev1.Node) => found.status?.conditions?.find(({ type }) => type === 'Ready')?.status;

  beforeAll(async () => {
    hosted = await startHostedCluster();
    host = {
      layers: new Layers(join(hosted.directory, 'layers')),
      settings: new SettingsByLayer(),
      ignition: ignitionAgent(),
      clusters: new HostedClusters(httpsConnections(systemClock), systemClock),
      clock: systemClock,
      log: silentLogger,
      random: Math.random,
      operatingSystem: operatingSystemOf,
      unused: () => {},
    };
  });
  afterAll(async () => {
    for (const made of machines) await made.powerOff();
    host?.ignition.destroy();
    await hosted?.stop();
  });

  it('When it is switched on, it should fetch its config, join by CSR and run pods whose logs can be read', async () => {
    const worker = machine('worker-1', '127.33.0.1');
    await worker.powerOn();
    expect([worker.state, worker.console.text()]).toEqual(['running', expect.stringContaining('ignition: finished')]);
    const found = await node('worker-1');
    expect(ready(found)).toBe('True');
    expect(found.spec?.providerID).toBe('aws:///us-east-1a/i-worker-1');
    expect(found.metadata.labels).toMatchObject({
      'node-role.kubernetes.io/worker': '',
      'node.openshift.io/os_id': 'rhcos',
      'topology.kubernetes.io/zone': 'us-east-1a',
    });
    expect(found.metadata.annotations).toMatchObject({ 'hypershift-ts.io/simulated': 'true' });
    expect(found.status?.nodeInfo).toMatchObject({
      kubeletVersion: 'v1.33.3',
      osImage: 'Red Hat Enterprise Linux CoreOS 4.20.3 (simulated)',
    });
    expect(found.status?.capacity).toMatchObject({ cpu: '4', memory: '16Gi', pods: '250' });
    expect(found.status?.allocatable).toMatchObject({ cpu: '3500m', memory: '15Gi' });
    const lease = await hosted.client.get(coordinationv1.leases, { namespace: 'kube-node-lease', name: 'worker-1' });
    expect(lease.spec?.holderIdentity).toBe('worker-1');

    await hosted.client.create(corev1.pods, {
      metadata: { name: 'app', namespace: 'default' },
      spec: { nodeName: 'worker-1', containers: [{ name: 'main', image: 'quay.io/example/app:v1' }] },
    });
    await expect
      .poll(async () => (await hosted.client.get(corev1.pods, { namespace: 'default', name: 'app' })).status?.phase)
      .toBe('Running');
    const log = () => hosted.client.raw('GET', '/api/v1/namespaces/default/pods/app/log').then(({ body }) => body);
    await expect.poll(() => log().catch(String), { timeout: 5000 }).toContain('simulated');
  });

  it('When it has booted, its disk should hold the configuration with the modes it asks for', async () => {
    const root = join(hosted.directory, 'machines', 'worker-1', 'root');
    const modeOf = async (path: string) => (await stat(join(root, path))).mode & 0o777;
    expect(await readFile(join(root, 'etc/systemd/system/kubelet.service'), 'utf8')).toContain('/usr/bin/kubelet');
    expect(await modeOf('etc/kubernetes/kubeconfig')).toBe(0o600);
    expect(await modeOf('var/lib/kubelet/pki/kubelet-client-current.pem')).toBe(0o600);
    expect((await stat(root)).mode & 0o077).toBe(0);
  });

  it('When its payload is not ready yet (511), it should wait and then boot', async () => {
    hosted.publish(undefined);
    const worker = machine('patient', '127.33.0.2');
    const booted = worker.powerOn();
    await expect
      .poll(() => worker.console.text())
      .toContain('status 511: Token not found (its payload is not made yet, or the token has expired');
    hosted.publish(hosted.payload);
    await booted;
    expect(worker.state).toBe('running');
  });

  it.each([
    ['is not JSON', '#cloud-config', 'user data is not JSON'],
    ['is of another version', '{"ignition":{"version":"2.2.0"}}', 'ignition.version "2.2.0" is not supported'],
    [
      'has a wrong type',
      '{"ignition":{"version":"3.2.0","config":{"merge":{}}}}',
      '$.ignition.config.merge must be a list',
    ],
    ['starts no kubelet', '{"ignition":{"version":"3.2.0"}}', 'the configuration of this machine starts no kubelet'],
    [
      'leads out of the disk',
      '{"ignition":{"version":"3.2.0"},"storage":{"files":[{"path":"/etc/../../escape"}]}}',
      'path "/etc/../../escape" is not an absolute, plain path',
    ],
  ])('When its user data %s, it should fail and say why on its console', async (what, userData, message) => {
    const worker = machine(`bad-${what.replaceAll(' ', '-')}`, '127.33.0.3', userData);
    await worker.powerOn();
    expect([worker.state, worker.console.text()]).toEqual(['failed', expect.stringContaining(message)]);
  });

  it('When its token is refused, it should give up and not show the token', async () => {
    const wrong = JSON.parse(hosted.userData) as {
      ignition: { config: { merge: { httpHeaders: { name: string; value: string }[] }[] } };
    };
    wrong.ignition.config.merge[0]!.httpHeaders[0]!.value = 'Bearer not~base64~secret';
    const worker = machine('stranger', '127.33.0.4', JSON.stringify(wrong));
    await worker.powerOn();
    expect([worker.state, worker.console.text()]).toEqual(['failed', expect.stringContaining('status 401')]);
    expect(worker.console.text()).not.toContain('secret');
  });

  it('When its network is cut, its lease should stop and its logs be out of reach, until it is mended', async () => {
    const worker = machines[0]!;
    const log = () =>
      hosted.client.raw('GET', '/api/v1/namespaces/default/pods/app/log').then(({ body }) => body, String);
    worker.connectNetwork(false);
    expect(await log()).toContain('cannot be reached');
    // A pod that comes meanwhile waits.
    await hosted.client.create(corev1.pods, {
      metadata: { name: 'later', namespace: 'default' },
      spec: { nodeName: 'worker-1', containers: [{ name: 'main', image: 'quay.io/example/app:v1' }] },
    });
    const phase = async () =>
      (await hosted.client.get(corev1.pods, { namespace: 'default', name: 'later' })).status?.phase;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await phase()).toBe('Pending');
    worker.connectNetwork(true);
    await expect.poll(phase, { timeout: 5000 }).toBe('Running');
    expect(await log()).toContain('simulated');
  });

  it('When its disk is full, the node should say so, and no more when there is room again', async () => {
    const pressure = async () =>
      (await node('worker-1')).status?.conditions?.find(({ type }) => type === 'DiskPressure')?.status;
    await machines[0]!.fillDisk(true);
    expect(await pressure()).toBe('True');
    await machines[0]!.fillDisk(false);
    expect(await pressure()).toBe('False');
  });

  it('When it gets another configuration and boots again, it should be the same node with the new system', async () => {
    const before = await node('worker-1');
    await machines[0]!.reapply(hosted.payloadOf('4.20.8'));
    await machines[0]!.reboot();
    const after = await node('worker-1');
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.status?.nodeInfo?.bootID).not.toBe(before.status?.nodeInfo?.bootID);
    expect(after.status?.nodeInfo?.kubeletVersion).toBe('v1.33.8');
    const pod = await hosted.client.get(corev1.pods, { namespace: 'default', name: 'app' });
    expect(pod.status?.phase).toBe('Running');
  });

  it('When an instance is broken, it should never reach Ignition', async () => {
    const worker = machine('broken', '127.33.0.5');
    worker.isBroken = true;
    await worker.powerOn();
    expect([worker.state, worker.console.text()]).toEqual(['failed', expect.stringContaining('kernel panic')]);
    expect(worker.console.text()).not.toContain('ignition:');
  });

  it('When a machine config daemon is sent to it, it should walk through an upgrade in place', async () => {
    const prefix = 'machineconfiguration.openshift.io';
    const { client } = hosted;
    await client.create(corev1.configmaps, {
      metadata: { name: 'pool-upgrade', namespace: 'default' },
      data: { config: gzipSync(hosted.payloadOf('4.20.9')).toString('base64'), hash: 'abc123' },
    });
    const annotate = (annotations: object) =>
      client.patch(corev1.nodes, { name: 'worker-1' }, { type: 'merge', body: { metadata: { annotations } } });
    await annotate({ [`${prefix}/desiredConfig`]: 'abc123' });
    await client.create(corev1.pods, {
      metadata: { name: 'machine-config-daemon-worker-1', namespace: 'default' },
      spec: {
        nodeName: 'worker-1',
        automountServiceAccountToken: false,
        restartPolicy: 'OnFailure',
        containers: [
          {
            name: 'machine-config-daemon',
            image: 'quay.io/example/mco',
            command: ['/usr/bin/machine-config-daemon'],
            args: ['start', '--node-name=worker-1', '--desired-configmap=/desired'],
            volumeMounts: [{ name: 'desired', mountPath: '/desired' }],
          },
        ],
        volumes: [{ name: 'desired', configMap: { name: 'pool-upgrade' } }],
      },
    });
    const annotation = async (name: string) => (await node('worker-1')).metadata.annotations?.[`${prefix}/${name}`];
    // The drainer's part, played by hand.
    for (const wanted of ['drain-abc123', 'uncordon-abc123']) {
      await expect.poll(() => annotation('desiredDrain'), { timeout: 20_000 }).toBe(wanted);
      expect(await annotation('state')).toBe('Working');
      await annotate({ [`${prefix}/lastAppliedDrain`]: wanted });
    }
    await expect.poll(() => annotation('state'), { timeout: 10_000 }).toBe('Done');
    expect(await annotation('currentConfig')).toBe('abc123');
    expect((await node('worker-1')).status?.nodeInfo?.kubeletVersion).toBe('v1.33.9');
  });
});
