import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openshift } from '@hypershift-ts/hypershift-api';
import { productPrograms } from '@hypershift-ts/hypershift-embedded';
import { createReleaseProvider } from '@hypershift-ts/hypershift-release';
import { storagev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, InformerCache } from '@hypershift-ts/kube-client';
import { createOrUpdate, type Logger, Manager, silentLogger } from '@hypershift-ts/kube-controller';
import { controllerManager, scheduler } from '@hypershift-ts/kube-controllers';
import {
  ClusterNames,
  loopbackLoadBalancers,
  type RuntimeOptions,
  startKubelet,
  startServiceProxy,
} from '@hypershift-ts/kube-kubelet';
import { issue, KeyPool } from '@hypershift-ts/kube-pki';
import { ProcessDirectory } from '@hypershift-ts/kube-programs';
import { processConnections, SimulatedCloud } from '@hypershift-ts/machines-providers';
import { machineRuntimes } from '../../packages/hypershift/embedded/src/machine-programs/registry.ts';
import { startSharedRouter } from '../../packages/hypershift/embedded/src/router/shared-router.ts';
import { addresses, type RealApiServer } from './api-server.ts';
import type { RealPrograms } from './binaries.ts';

export interface NodesOptions {
  readonly programs: RealPrograms;
  readonly logger?: Logger;
  /** Programs of hosted control planes that are processes of this machine. */
  readonly runtimes?: (runtimes: RuntimeOptions, names: ClusterNames) => RuntimeOptions;
  readonly without?: readonly string[];
}

type Ending = () => Promise<unknown>;

/**
 * What makes an API server a cluster on this machine: controllers and a scheduler (the real ones when they are there),
 * nodes whose kubelet runs the product's programs in this process, and a proxy for Services. Answers how to stop it.
 */
export async function startNodes(server: RealApiServer, options: NodesOptions): Promise<() => Promise<void>> {
  const endings: Ending[] = [];
  const stop = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    await startControllers(server, options, endings);
    await startKubelets(server, options, endings);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startControllers(server: RealApiServer, options: NodesOptions, endings: Ending[]): Promise<void> {
  const { programs, logger = silentLogger } = options;
  const { identity, folder } = server;
  const client = await server.admin('kube-controller-manager');
  endings.push(() => client.close());
  const pki = (name: string) => join(folder, 'pki', name);
  const kubeconfig = pki('components.kubeconfig');
  await mkdir(join(folder, 'volumes'), { recursive: true });
  await writeFile(kubeconfig, await server.kubeconfig('kubernetes-admin', ['system:masters']), { mode: 0o600 });
  const real = programs.controllerManager;
  if (real)
    server.run(real, [
      `--kubeconfig=${kubeconfig}`,
      `--bind-address=${addresses.apiServer}`,
      '--leader-elect=false',
      '--use-service-account-credentials',
      '--enable-hostpath-provisioner',
      `--root-ca-file=${pki('ca.crt')}`,
      `--service-account-private-key-file=${pki('sa.key')}`,
      `--cluster-signing-cert-file=${pki('ca.crt')}`,
      `--cluster-signing-key-file=${pki('ca.key')}`,
    ]);
  const ours = controllerManager({
    client,
    clock: systemClock,
    logger: logger.child({ program: 'kube-controller-manager' }),
    // What a cloud provider would do on a real cluster stays ours.
    ...(real ? { enabled: ['service-lb-controller'] } : {}),
    rootCa: identity.authority.certificatePem,
    signer: { authority: identity.authority },
    serviceAccountPrivateKey: identity.serviceAccountKey,
    localVolumes: {
      async create(name) {
        await mkdir(join(folder, 'volumes', name), { recursive: true, mode: 0o700 });
        return join(folder, 'volumes', name);
      },
      remove: (name) => rm(join(folder, 'volumes', name), { recursive: true, force: true }),
    },
    loadBalancers: loopbackLoadBalancers(),
  });
  await ours.start();
  endings.push(() => ours.stop());
  if (programs.scheduler)
    server.run(programs.scheduler, [
      `--kubeconfig=${kubeconfig}`,
      `--bind-address=${addresses.apiServer}`,
      '--leader-elect=false',
    ]);
  else {
    const own = await server.admin('kube-scheduler');
    const pods = scheduler({ client: own, clock: systemClock, logger: logger.child({ program: 'kube-scheduler' }) });
    await pods.start();
    endings.push(async () => {
      await pods.stop();
      await own.close();
    });
  }
  const storage = {
    metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: real ? 'kubernetes.io/host-path' : 'hypershift-ts.io/local',
  };
  await createOrUpdate(client, storagev1.storageclasses, storage.metadata, storage);
}

async function startKubelets(server: RealApiServer, options: NodesOptions, endings: Ending[]): Promise<void> {
  const { logger = silentLogger, without } = options;
  const { identity, folder } = server;
  const clock = systemClock;
  const client = await server.admin('service-proxy');
  const cache = new InformerCache({ client, clock });
  cache.start();
  endings.push(async () => {
    await cache.stop();
    await client.close();
  });
  const proxy = await startServiceProxy({ client, cache, clock, log: logger.child({ program: 'service-proxy' }) });
  endings.push(() => proxy.stop());
  const router = await startSharedRouter({ address: '127.0.0.1', port: 0, domain: 'apps.management.localhost' });
  endings.push(() => router.close());
  const route = openshift.openshiftCrds().find(({ spec }) => spec.names.kind === 'Route');
  await applyManifests(client, [route as never], { fieldManager: 'shared-router' });
  const routes = new Manager({ client, clock, logger: logger.child({ program: 'router' }) });
  routes.add(router.controller);
  await routes.start();
  endings.push(() => routes.stop());
  const directory = new ProcessDirectory();
  const releases = createReleaseProvider();
  endings.push(() => releases.close());
  const keys = new KeyPool({ size: { 'RSA-2048': 4, 'P-256': 64 } });
  endings.push(async () => keys.close());
  const cloud = new SimulatedCloud({
    dataDir: join(folder, 'cloud'),
    connections: processConnections({ directory, clock, resolve: router.resolve }),
    resolve: router.resolve,
    runtimes: machineRuntimes(directory, router.resolve),
    clock,
    logger: logger.child({ program: 'cloud' }),
  });
  endings.push(() => cloud.close());
  const builtin = productPrograms({
    directory,
    releases,
    keys: keys.take,
    cloud: () => cloud,
    resolve: router.resolve,
    ...(without ? { without } : {}),
  });
  const names = new ClusterNames(cache, true);
  const runtimes = options.runtimes?.({ builtin }, names) ?? { builtin };
  for (const [index, zone] of ['a', 'b', 'c'].entries()) {
    const name = `node-${index + 1}`;
    const user = `system:node:${name}`;
    const node = await server.client('kubelet', user, ['system:nodes']);
    const serving = await issue(identity.authority, {
      subject: { commonName: user, organizations: ['system:nodes'] },
      role: 'server',
      dnsNames: [name],
      ipAddresses: ['127.0.0.1'],
      now: clock.now(),
    });
    const kubelet = await startKubelet({
      client: node,
      nodeName: name,
      names,
      dataDir: join(folder, 'nodes', name),
      podCIDR: `198.18.${64 * index}.0/18`,
      labels: { 'topology.kubernetes.io/zone': `zone-${zone}`, 'topology.kubernetes.io/region': 'local' },
      capacity: { cpu: '2000', memory: '8Ti', pods: '50000' },
      runtimes,
      tls: {
        certificate: serving.certificatePem,
        key: serving.keyPem,
        clientCa: identity.authority.certificatePem,
        allowedClients: [identity.kubeletClient.certificate.subject.commonName ?? ''],
      },
      clock,
      log: logger.child({ node: name }),
    });
    endings.push(async () => {
      await kubelet.stop();
      await node.close();
    });
  }
}
