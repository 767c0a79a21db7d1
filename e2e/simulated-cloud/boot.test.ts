import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { coordinationv1, corev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { silentLogger } from '@hypershift-ts/kube-controller';
import {
  HostedClusters,
  httpsConnections,
  IgnitionAgents,
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
      agents: new IgnitionAgents(),
      clusters: new HostedClusters(httpsConnections(systemClock), systemClock),
      clock: systemClock,
      log: silentLogger,
      random: Math.random,
      operatingSystem: operatingSystemOf,
    };
  });
  afterAll(async () => {
    for (const made of machines) await made.powerOff();
    host?.agents.close();
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
});
