import { createSocket } from 'node:dgram';
import { request } from 'node:http';
import { corev1, discoveryv1 } from '@hypershift-ts/kube-apimachinery';
import { Manager } from '@hypershift-ts/kube-controller';
import { serviceLoadBalancerController } from '@hypershift-ts/kube-controllers';
import { loopbackLoadBalancers, startServiceProxy } from '@hypershift-ts/kube-kubelet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPod, isReady, type NodeUnderTest, podWhen, startNode } from './harness.ts';

const server = (name: string) => `
  require('http').createServer((q, s) => s.end('${name} ' + q.socket.remoteAddress)).listen(8080, process.env.HYPERSHIFT_POD_IP);
  const u = require('dgram').createSocket('udp4');
  u.on('message', (m, r) => u.send('${name}:' + m, r.port, r.address));
  u.bind(5353, process.env.HYPERSHIFT_POD_IP);
`;

const get = (host: string, port: number) =>
  new Promise<string>((resolve, reject) => {
    const sent = request({ host, port, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end();
  });

describe('Services on loopback', () => {
  let node: NodeUnderTest;
  let proxy: Awaited<ReturnType<typeof startServiceProxy>>;
  let manager: Manager;
  const addresses: string[] = [];

  beforeAll(async () => {
    node = await startNode({}, '127.97.0.0/16');
    const client = node.cluster.client();
    proxy = await startServiceProxy({ client });
    manager = new Manager({ client }).add(serviceLoadBalancerController(loopbackLoadBalancers()));
    await manager.start();
    for (const name of ['a', 'b']) {
      const readinessProbe = { httpGet: { port: 8080 }, periodSeconds: 1 };
      const container = { name: 'main', image: 'host', command: ['node', '-e', server(name)], readinessProbe };
      await node.client.create(corev1.pods, aPod(name, { containers: [container] }));
    }
    for (const name of ['a', 'b']) addresses.push((await podWhen(node, name, isReady)).status?.podIP ?? '');
  });
  afterAll(async () => {
    await manager?.stop();
    await proxy?.stop();
    await node?.stop();
  });

  /** What the EndpointSlice controller would write. */
  const slice = (service: string, to: readonly string[]) => ({
    metadata: { name: `${service}-1`, namespace: 'default', labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports: [
      { name: 'http', port: 8080, protocol: 'TCP' },
      { name: 'udp', port: 5353, protocol: 'UDP' },
    ],
    endpoints: to.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  });

  const create = async (name: string, spec: Partial<corev1.ServiceSpec>) => {
    await node.client.create(discoveryv1.endpointslices, slice(name, addresses));
    return node.client.create(corev1.services, {
      metadata: { name, namespace: 'default' },
      spec: {
        ports: [
          { name: 'http', port: 80, targetPort: 8080 },
          { name: 'udp', port: 53, targetPort: 5353, protocol: 'UDP' },
        ],
        ...spec,
      },
    });
  };

  it('When a Service has endpoints, its cluster IP should reach each of them in turn', async () => {
    const service = await create('web', {});
    const ip = service.spec?.clusterIP ?? '';
    expect(ip).toMatch(/^127\.97\./);
    expect(proxy.proxy.resolve('web.default.svc')).toBe(ip);
    await expect.poll(() => get(ip, 80).catch(() => '')).toMatch(/^[ab] /);
    const seen = new Set<string>();
    for (let i = 0; i < 4; i++) seen.add((await get(ip, 80)).slice(0, 1));
    expect([...seen].sort()).toEqual(['a', 'b']);
    expect(await get(ip, 80)).toContain('127.0.0.1');
    const answer = await new Promise<string>((resolve) => {
      const socket = createSocket('udp4');
      socket.on('message', (data) => {
        socket.close();
        resolve(data.toString());
      });
      socket.send('ping', 53, ip);
    });
    expect(answer).toMatch(/^[ab]:ping$/);
  });

  it('When its endpoints go, connections should be refused, and its address close with it', async () => {
    const service = await create('short', {});
    const ip = service.spec?.clusterIP ?? '';
    await expect.poll(() => get(ip, 80).catch(() => '')).toMatch(/^[ab] /);
    await node.client.update(discoveryv1.endpointslices, slice('short', []));
    await expect.poll(() => get(ip, 80).catch((error: NodeJS.ErrnoException) => error.code)).toBe('ECONNREFUSED');
    const before = proxy.proxy.size;
    await node.client.delete(corev1.services, { namespace: 'default', name: 'short' });
    expect(proxy.proxy.size).toBe(before);
  });

  it('When clients should stay with one endpoint, they should', async () => {
    const service = await create('sticky', { sessionAffinity: 'ClientIP' });
    const ip = service.spec?.clusterIP ?? '';
    await expect.poll(() => get(ip, 80).catch(() => '')).toMatch(/^[ab] /);
    const seen = new Set<string>();
    for (let i = 0; i < 4; i++) seen.add(await get(ip, 80));
    expect(seen.size).toBe(1);
  });

  it('When the type is LoadBalancer, an address and a node port should both work', async () => {
    await create('lb', { type: 'LoadBalancer' });
    const found = async () => node.client.get(corev1.services, { namespace: 'default', name: 'lb' });
    await expect.poll(async () => (await found()).status?.loadBalancer?.ingress?.[0]?.ip).toMatch(/^127\.200\./);
    const service = await found();
    const ip = service.status?.loadBalancer?.ingress?.[0]?.ip ?? '';
    await expect.poll(() => get(ip, 80).catch(() => '')).toMatch(/^[ab] /);
    expect(await get('127.0.0.1', service.spec?.ports?.[0]?.nodePort ?? 0)).toMatch(/^[ab] /);
  });
});
