import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { MemoryOidcDocuments, runHypershiftOperator } from '@hypershift-ts/hypershift-operator';
import { EmbeddedCatalogue } from '@hypershift-ts/hypershift-release';
import { appsv1, findCondition, rbacv1, schedulingv1, systemClock } from '@hypershift-ts/kube-apimachinery';
import {
  applyManifests,
  clusterConfigFrom,
  HttpClient,
  parseKubeconfig,
  parseManifests,
} from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCluster, platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import {
  install,
  installCrds,
  installDefaults,
  installResources,
} from '../../packages/hypershift/cli/src/install/index.ts';
import { renderInstall, writeHelmChart } from '../../packages/hypershift/cli/src/install/run.ts';
import { terminalOf } from '../../packages/hypershift/cli/src/terminal/index.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const options = { ...installDefaults, featureSet: 'TechPreviewNoUpgrade', routes: true } as const;
const refused: string[] = [];
const hear = (fields: object, message: string) => {
  const error = (fields as { readonly err?: Error }).err?.message ?? '';
  if (/forbidden|attempting to grant/i.test(error)) refused.push(`${message}: ${error}`);
};
const logger: Logger = { debug() {}, info() {}, warn: hear, error: hear, child: () => logger };

let test: TestCluster;
const stopper = new AbortController();
let ended: Promise<void> | undefined;
beforeAll(async () => {
  test = await startTestCluster({ controllers: true });
}, 60_000);
afterAll(async () => {
  stopper.abort();
  await ended;
  await test?.stop();
});

/** The operator as it is in its pod: nobody but its service account. */
function operatorClient(): HttpClient {
  const config = clusterConfigFrom(parseKubeconfig(test.cluster.adminKubeconfig(), 'test', '/'));
  const user = `system:serviceaccount:${options.namespace}:operator`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${options.namespace}`, 'system:authenticated'];
  return new HttpClient({ ...config, impersonate: { user, groups } });
}

describe('install', () => {
  it('When it is repeated, it should end the same', async () => {
    await install(options, { client: test.client });
    const first = await test.client.get(appsv1.deployments, { namespace: 'hypershift', name: 'operator' });
    await install(options, { client: test.client, scope: 'resources' });
    const second = await test.client.get(appsv1.deployments, { namespace: 'hypershift', name: 'operator' });
    expect(second.metadata.generation).toBe(first.metadata.generation);
    expect((await test.client.get(schedulingv1.priorityclasses, { name: 'hypershift-etcd' })).value).toBe(100_002_000);
    expect((await test.client.get(rbacv1.clusterroles, { name: 'hypershift-operator' })).rules?.length).toBeGreaterThan(
      10,
    );
  }, 60_000);

  it('When somebody else applies the same after it, they should get no conflict', async () => {
    const objects = [...installCrds(options), ...installResources(options)];
    const applied = await applyManifests(test.client, objects, { fieldManager: 'kubectl', force: false });
    expect(applied).toHaveLength(objects.length);
  }, 60_000);

  it('When the operator runs with the rights it was given, nothing should be refused on any platform', async () => {
    const client = operatorClient();
    ended = runHypershiftOperator({
      client,
      namespace: options.namespace,
      releases: new EmbeddedCatalogue(),
      operatorImage: 'operator:1',
      oidcDocuments: new MemoryOidcDocuments(),
      providerImages: { KubeVirt: 'capk:1', Agent: 'capa:1' },
      clock: systemClock,
      logger,
      signal: stopper.signal,
    }).finally(() => client.close());
    const platforms = platformBuilders.filter(({ command }) => command !== 'ibmcloud');
    for (const platform of platforms)
      await createCluster({
        platform,
        client: test.client,
        isEmbedded: true,
        flags: {
          name: `on-${platform.command}`,
          externalApiServerAddress: '127.0.0.1',
          apiServerAddress: '127.0.0.1',
          servicePublishingStrategy: 'NodePort',
          agentNamespace: 'clusters',
        },
      });
    for (const { command } of platforms) {
      const name = `on-${command}`;
      const text = await vi.waitFor(
        async () => {
          const cluster = await test.client.get(hostedClusters, { namespace: 'clusters', name });
          const reconciled = findCondition(cluster.status?.conditions, 'ReconciliationSucceeded');
          const { items } = await test.client.list(appsv1.deployments, { namespace: `clusters-${name}` });
          const said = `${name}: ${reconciled?.message}`;
          // The message tells why it is not there.
          const found = items.map(({ metadata }) => metadata.name);
          expect([said, ...found]).toContain('control-plane-operator');
          return said;
        },
        { timeout: 30_000, interval: 200 },
      );
      expect(text).not.toMatch(/forbidden|attempting to grant/i);
    }
    expect(refused).toEqual([]);
  }, 120_000);
});

describe('install --render', () => {
  it('When it is read back, it should hold the kinds first and no Secret', async () => {
    let text = '';
    await renderInstall(
      { namespace: 'hypershift', replicas: 1, enableValidatingWebhook: true, limitCrdInstall: ['aws'] },
      terminalOf({ write: (part) => (text += part) }),
    );
    const objects = parseManifests(text);
    const kinds = objects.map(({ kind }) => kind);
    expect(kinds.lastIndexOf('CustomResourceDefinition')).toBeLessThan(kinds.indexOf('PriorityClass'));
    expect(kinds).not.toContain('Secret');
    expect(kinds.at(-1)).toBe('ValidatingWebhookConfiguration');
    expect(objects.some(({ metadata }) => metadata.name?.startsWith('azuremachine'))).toBe(false);
  });
});

describe('install helm', () => {
  it('When a chart is written, its templates should take image and namespace from the release', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chart-'));
    try {
      await writeHelmChart(folder, terminalOf({ write: () => true }, { write: () => true }));
      expect((await readdir(join(folder, 'crds'))).length).toBeGreaterThan(20);
      const deployment = await readFile(join(folder, 'templates/deployment-operator.yaml'), 'utf8');
      expect(deployment).toContain('image: {{ .Values.image }}');
      expect(deployment).toContain('namespace: {{ .Release.Namespace }}');
      expect((await readdir(join(folder, 'templates'))).join(' ')).not.toContain('namespace-');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
