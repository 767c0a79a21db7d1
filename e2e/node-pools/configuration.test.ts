import { request } from 'node:https';
import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineConsole } from '../../packages/hypershift/cli/src/machine-logs/console.ts';
import { eventually, namespace, Product, readyNodes } from './harness.ts';

describe('what machines boot with', () => {
  let product: Product;
  let hosted: HttpClient;
  beforeAll(async () => {
    product = await Product.start({ flags: { nodePoolReplicas: 1, releaseImage: embeddedReleaseImage('4.22.3') } });
    hosted = await product.hosted();
  }, 180_000);
  afterAll(async () => {
    await hosted?.close();
    await product?.stop();
  }, 60_000);

  const decoded = async (name: string, key: string) => {
    const { data } = await product.client.get(corev1.secrets, { namespace: product.controlPlane, name });
    return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
  };
  const secretsNamed = async (prefix: string) =>
    (await product.inControlPlane(corev1.secrets)).flatMap(({ metadata: { name = '' } }) =>
      name.startsWith(prefix) ? [name] : [],
    );
  const machineNames = async () => (await product.machines()).map(({ metadata }) => metadata.name ?? '');
  const deployment = () =>
    product.client.get(capi.machinedeployments, { namespace: product.controlPlane, name: product.name });
  const patchCluster = (body: object) =>
    product.client.patch(hostedClusters, { namespace, name: product.name }, { type: 'merge', body });
  /** Everything is as it was asked for, and the operator has seen the newest of everything. */
  const settled = () =>
    eventually(async () => {
      const { metadata, spec, status } = await product.pool();
      const conditions = (status?.conditions ?? []) as readonly {
        type: string;
        status: string;
        observedGeneration?: number;
      }[];
      const find = (type: string) => conditions.find((one) => one.type === type);
      expect(find('UpdatingConfig')).toMatchObject({ status: 'False', observedGeneration: metadata.generation });
      expect(find('AllNodesHealthy')?.status).toBe('True');
      expect(await readyNodes(hosted)).toHaveLength(spec.replicas ?? 0);
      expect(await product.machines()).toHaveLength(spec.replicas ?? 0);
    });

  const curl = async (
    path: string,
    authorization?: string,
  ): Promise<{ status: number; type: string; body: string }> => {
    const endpoint = (await product.cluster()).status?.ignitionEndpoint ?? '';
    const ca = await decoded('ignition-server-ca-cert', 'tls.crt');
    const url = new URL(`https://${endpoint}${path}`);
    const place = product.management.router.resolve({ host: url.hostname, port: Number(url.port || 443) });
    return new Promise((resolve, reject) => {
      const options = { ...place, path, ca, servername: url.hostname, agent: false } as const;
      const headers = authorization ? { Authorization: authorization } : {};
      const asking = request({ ...options, headers }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }),
        );
      });
      asking.on('error', reject).end();
    });
  };
  /** What the next machine would find in a file. */
  const payloadSays = (path: string, text: string) =>
    eventually(async () => {
      const hash = (await product.pool()).metadata.annotations?.[hashKey] ?? '';
      const token = await decoded(`token-demo-${hash}`, 'token');
      const { storage } = JSON.parse((await curl('/ignition', bearer(token))).body) as IgnitionFiles;
      const source = storage.files.find((file) => file.path === path)?.contents.source ?? '';
      expect(await (await fetch(source)).text()).toContain(text);
    });
  const bearer = (text: string) => `Bearer ${Buffer.from(text).toString('base64')}`;

  it('When the Ignition endpoint is asked, each mistake should get its own answer', async () => {
    const [token = ''] = await secretsNamed('token-demo-');
    expect((await curl('/something')).status).toBe(404);
    expect((await curl('/ignition')).status).toBe(401);
    expect((await curl('/ignition', 'Bearer ****')).status).toBe(401);
    expect((await curl('/ignition', bearer('11111111-2222-4333-8444-555555555555'))).status).toBe(511);
    const given = await curl('/ignition', bearer(await decoded(token, 'token')));
    expect(given).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' });
    expect(JSON.parse(given.body)).toMatchObject({ ignition: { version: '3.2.0' } });
  }, 60_000);

  it('When somebody asks for the console of a machine, it should tell how it booted', async () => {
    const [name = ''] = await machineNames();
    const text = await machineConsole(product.client, name);
    expect(text).toMatch(/simulated machine [\s\S]*ignition: finished[\s\S]*is registered and ready/);
    await expect(machineConsole(product.client, 'nobody')).rejects.toThrow('there is no Machine and no node nobody');
    await settled();
  }, 60_000);

  it('When a setting of the cluster does not matter for nodes, none should be replaced', async () => {
    const before = {
      machines: await machineNames(),
      tokens: await secretsNamed('token-demo-'),
      template: (await deployment()).spec.template,
    };
    const configuration = { oauth: { tokenConfig: { accessTokenMaxAgeSeconds: 3600 } } };
    await patchCluster({
      metadata: { labels: { team: 'a' } },
      spec: { configuration, autoscaling: { maxNodesTotal: 10 } },
    });
    const [token = ''] = before.tokens;
    const hash = await decoded(token, 'hc-configuration-hash');
    // The payload is made from the whole configuration, so its hash follows, and machines that come later boot with it.
    await eventually(async () => {
      const map = await product.client.get(corev1.configmaps, {
        namespace: product.controlPlane,
        name: 'machine-config-server',
      });
      const now = await decoded(token, 'hc-configuration-hash');
      expect(now).not.toBe(hash);
      expect(map.data?.['configuration-hash']).toBe(now);
    });
    await product.patchPool({ replicas: 2 });
    await settled();
    await product.patchPool({ replicas: 1 });
    await settled();
    expect(await secretsNamed('token-demo-')).toEqual(before.tokens);
    expect((await deployment()).spec.template).toEqual(before.template);
  }, 90_000);

  it('When the content of the pull secret changes, nodes should stay and new ones should still boot', async () => {
    const before = await machineNames();
    const auths = { 'registry.example.com': { auth: Buffer.from('somebody:secret').toString('base64') } };
    const { spec } = await product.cluster();
    const key = { namespace, name: spec.pullSecret.name ?? '' };
    const data = { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') };
    await product.client.patch(corev1.secrets, key, { type: 'merge', body: { data } });
    await eventually(async () => expect(await decoded('pull-secret', '.dockerconfigjson')).toContain('example.com'));
    const nodes = await readyNodes(hosted);
    const onDisk = (node: string) => product.computer(node).root.read('/var/lib/kubelet/config.json');
    await payloadSays('/var/lib/kubelet/config.json', 'registry.example.com');
    await product.patchPool({ replicas: 2 });
    await settled();
    expect(await machineNames()).toEqual(expect.arrayContaining(before));
    for (const node of nodes) expect(await onDisk(node)).not.toContain('registry.example.com');
    const [added = ''] = (await readyNodes(hosted)).filter((node) => !nodes.includes(node));
    expect(await onDisk(added)).toContain('registry.example.com');
    await product.patchPool({ replicas: 1 });
    await settled();
  }, 90_000);

  it('When a trust bundle is named, nodes should be replaced; when its content changes, only new ones should have it', async () => {
    const [before] = await machineNames();
    const bundle = (text: string) => ({
      metadata: { namespace, name: 'trusted' },
      data: { 'ca-bundle.crt': text },
    });
    const certificate = product.management.cluster.identity.authority.certificatePem;
    const renewed = `# renewed\n${certificate}`;
    await product.client.create(corev1.configmaps, bundle(certificate));
    await patchCluster({ spec: { additionalTrustBundle: { name: 'trusted' } } });
    await eventually(async () => expect(await machineNames()).not.toContain(before));
    await settled();
    const path = '/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt';
    const [node = ''] = await readyNodes(hosted);
    const onDisk = (name: string) => product.computer(name).root.read(path);
    expect(await onDisk(node)).toContain('BEGIN CERTIFICATE');
    const [machine] = await machineNames();
    await product.client.update(corev1.configmaps, bundle(renewed));
    await payloadSays(path, '# renewed');
    await product.patchPool({ replicas: 2 });
    await settled();
    expect(await machineNames()).toContain(machine);
    expect(await onDisk(node)).not.toContain('# renewed');
    const [added = ''] = (await readyNodes(hosted)).filter((name) => name !== node);
    expect(await onDisk(added)).toContain('# renewed');
    await product.patchPool({ replicas: 1 });
    await settled();
  }, 120_000);

  it('When a MachineConfig is added, nodes should be replaced once and have its files', async () => {
    const [before] = await machineNames();
    await product.client.create(corev1.configmaps, {
      metadata: { namespace, name: 'motd' },
      data: { config: machineConfig('/etc/motd', 'data:,welcome') },
    });
    await product.patchPool({ config: [{ name: 'motd' }] });
    await eventually(async () => expect(await machineNames()).not.toContain(before));
    await settled();
    const [node = ''] = await readyNodes(hosted);
    expect(await product.computer(node).root.read('/etc/motd')).toBe('welcome');
    expect(
      (await product.inControlPlane(capi.machinesets)).filter(({ spec }) => (spec.replicas ?? 0) > 0),
    ).toHaveLength(1);
  }, 90_000);

  it('When registries and image mirrors of the cluster change, nodes should be replaced once', async () => {
    const [before] = await machineNames();
    const sets = (await product.inControlPlane(capi.machinesets)).length;
    const image = { registrySources: { insecureRegistries: ['registry.example.com'] } };
    const imageContentSources = [{ source: 'quay.io/example', mirrors: ['mirror.example.com/example'] }];
    await patchCluster({ spec: { configuration: { image }, imageContentSources } });
    await eventually(async () => expect(await machineNames()).not.toContain(before));
    await settled();
    const [node = ''] = await readyNodes(hosted);
    const registries = await product.computer(node).root.read('/etc/containers/registries.conf');
    expect(registries).toMatch(/mirror\.example\.com\/example/);
    expect(registries).toContain('registry.example.com');
    expect((await product.inControlPlane(capi.machinesets)).length).toBeLessThanOrEqual(sets + 1);
  }, 90_000);

  it('When what is asked for is wrong, conditions should say what to do and nodes should stay', async () => {
    const before = await machineNames();
    const says = async (type: string, ...texts: (string | RegExp)[]) =>
      eventually(async () => {
        const condition = await product.poolCondition(type);
        expect(condition?.status).toBe('False');
        for (const text of texts) expect(condition?.message).toMatch(text);
      });
    await product.patchPool({ config: [{ name: 'motd' }, { name: 'nowhere' }] });
    await says('ValidMachineConfig', 'nowhere');
    const wrong = { namespace, name: 'wrong' };
    await product.client.create(corev1.configmaps, {
      metadata: wrong,
      data: { config: machineConfig('relative', '') },
    });
    await product.patchPool({ config: [{ name: 'motd' }, { name: 'wrong' }] });
    await says('ValidMachineConfig', /relative|absolute/);
    await product.patchPool({ config: [{ name: 'motd' }] });
    await eventually(async () => expect((await product.poolCondition('ValidMachineConfig'))?.status).toBe('True'));
    const { spec } = await product.pool();
    await product.patchPool({ release: { image: embeddedReleaseImage('9.9.9') } });
    await says('ValidReleaseImage', '9.9.9');
    await product.patchPool({ release: spec.release });
    await eventually(async () => expect((await product.poolCondition('ValidReleaseImage'))?.status).toBe('True'));
    // A patch above the control plane's is tolerated, a minor is not.
    await product.patchPool({ release: { image: newer } });
    await says('ValidReleaseImage', 'the latest version supported is', 'use a release of');
    await product.patchPool({ release: spec.release });
    await eventually(async () => expect((await product.poolCondition('ValidReleaseImage'))?.status).toBe('True'));
    await settled();
    expect(await machineNames()).toEqual(before);
  }, 120_000);

  it('When a token has expired or belongs to another control plane, nobody should get a payload for it', async () => {
    const before = await machineNames();
    const hash = (await product.pool()).metadata.annotations?.[hashKey] ?? '';
    const old = (await secretsNamed('token-demo-')).find((name) => !name.endsWith(hash)) ?? '';
    const key = { namespace: product.controlPlane, name: old };
    const expired = await decoded(old, 'token');
    expect((await curl('/ignition', bearer(expired))).status).toBe(200);
    const annotations = { 'hypershift.openshift.io/ignition-token-expiration-timestamp': '2020-01-01T00:00:00Z' };
    await product.client.patch(corev1.secrets, key, { type: 'merge', body: { metadata: { annotations } } });
    await eventually(async () =>
      expect(await curl('/ignition', bearer(expired))).toMatchObject({ status: 511, body: 'Token not found\n' }),
    );
    await eventually(async () => expect(await secretsNamed('token-demo-')).not.toContain(old));
    const { metadata, data } = await product.client.get(corev1.secrets, { ...key, name: `token-demo-${hash}` });
    const other = Buffer.from('11111111-2222-4333-8444-666666666666').toString('base64');
    await product.client.create(corev1.secrets, {
      metadata: { namespace: 'default', name: 'token-other-1', annotations: metadata.annotations ?? {} },
      data: { ...data, token: other },
    });
    expect((await curl('/ignition', `Bearer ${other}`)).status).toBe(511);
    expect(await machineNames()).toEqual(before);
  }, 60_000);

  it('When somebody spoils the user data, its pool should write it anew and nodes should come and stay as before', async () => {
    const before = await machineNames();
    const hash = (await product.pool()).metadata.annotations?.[hashKey] ?? '';
    const name = `user-data-demo-${hash}`;
    const text = await decoded(name, 'value');
    const key = { namespace: product.controlPlane, name };
    const data = { value: Buffer.from('{"ignition":').toString('base64') };
    await product.client.patch(corev1.secrets, key, { type: 'merge', body: { data } });
    await eventually(async () => expect(await decoded(name, 'value')).toBe(text));
    await product.patchPool({ replicas: 2 });
    await settled();
    expect(await machineNames()).toEqual(expect.arrayContaining(before));
    await product.patchPool({ replicas: 1 });
    await settled();
  }, 90_000);
});

interface IgnitionFiles {
  readonly storage: { readonly files: readonly { readonly path: string; readonly contents: { source: string } }[] };
}

const hashKey = 'hypershift.openshift.io/nodePoolCurrentConfigVersion';
/** A minor above the control plane under test. */
const newer = embeddedReleaseImage('5.0.0');

const machineConfig = (path: string, source: string): string =>
  JSON.stringify({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: '99-file' },
    spec: {
      config: { ignition: { version: '3.2.0' }, storage: { files: [{ path, mode: 420, contents: { source } }] } },
    },
  });
