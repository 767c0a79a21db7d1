import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coordinationv1, corev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { Informer } from '@hypershift-ts/kube-client';
import { fingerprint, parseCertificates } from '@hypershift-ts/kube-pki';
import { ProcessDirectory } from '@hypershift-ts/kube-programs';
import { processConnections, SimulatedCloud } from '@hypershift-ts/machines-providers';
import { startHostedCluster } from '../../e2e/simulated-cloud/harness.ts';
import { benchFleet } from './fleet.ts';

/** Machines that join by the real protocol (Ignition over TLS, CSRs, Node, Lease), then idle. */
export async function benchNodes(print: (line: string) => void): Promise<void> {
  const counts = (process.env['NODES'] ?? '100,1000').split(',').map(Number);
  for (const count of counts) if (count > 0) await measure(count, print);
  await benchFleet(print);
}

async function measure(count: number, print: (line: string) => void): Promise<void> {
  const hosted = await startHostedCluster();
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-nodes-'));
  const directory = new ProcessDirectory();
  const { serving, authority } = hosted.cluster.identity;
  const [leaf] = parseCertificates(serving.certificatePem);
  directory.addApiServer({
    server: hosted.cluster.apiServer,
    fingerprints: [fingerprint(leaf!.der)],
    clientCa: authority.certificatePem,
    closed: new AbortController().signal,
  });
  const cloud = new SimulatedCloud({ dataDir, connections: processConnections({ directory, clock: systemClock }) });
  const nodes = new Informer({ client: hosted.cluster.client(), type: corev1.nodes });
  const ready = new Set<string>();
  const arrived = new Promise<void>((resolve) => {
    const look = (node: corev1.Node) => {
      if (node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'))
        ready.add(node.metadata.name ?? '');
      if (ready.size === count) resolve();
    };
    nodes.addHandler({ added: look, updated: (_previous, next) => look(next) });
  });
  nodes.start();
  await nodes.whenSynced();
  globalThis.gc?.();
  const before = process.memoryUsage();
  const started = performance.now();
  const cpu = process.cpuUsage();
  for (let index = 0; index < count; index++) {
    const name = `worker-${index}`;
    await cloud.launch({
      id: name,
      name,
      instanceType: 'm6i.xlarge',
      shape: { cpu: 4, memoryMiB: 16_384 },
      userData: hosted.userData,
      nodeName: () => name,
      providerID: `aws:///us-east-1a/${name}`,
    });
  }
  await arrived;
  const seconds = (performance.now() - started) / 1000;
  const joinCpu = process.cpuUsage(cpu);
  const used = (joinCpu.user + joinCpu.system) / 1000 / count;
  print(
    `${count} nodes Ready after ${seconds.toFixed(1)} s, ${used.toFixed(1)} ms CPU each (both sides: machine and control plane)`,
  );
  // Serving certificates still come in.
  await new Promise((resolve) => setTimeout(resolve, 5000 + count * 5));
  globalThis.gc?.();
  const after = process.memoryUsage();
  const kib = (after.rss - before.rss) / 1024 / count;
  const heap = (after.heapUsed - before.heapUsed) / 1024 / count;
  print(
    `memory per idle node: ${kib.toFixed(0)} KiB resident, ${heap.toFixed(0)} KiB heap (API server's objects and the nodes themselves)`,
  );
  const idle = process.cpuUsage();
  const idleStarted = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const idleCpu = process.cpuUsage(idle);
  const share = (idleCpu.user + idleCpu.system) / 10 / (performance.now() - idleStarted);
  const { items } = await hosted.cluster.client().list(coordinationv1.leases, { namespace: 'kube-node-lease' });
  const fresh = items.filter(({ spec }) => Date.now() - Date.parse(spec?.renewTime ?? '') < 15_000).length;
  print(`idle: ${share.toFixed(1)} % of a core; ${fresh} of ${items.length} leases are younger than 15 s`);
  await nodes.stop();
  await cloud.close();
  await hosted.stop();
  await rm(dataDir, { recursive: true, force: true });
}
