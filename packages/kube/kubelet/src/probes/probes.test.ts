import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createGrpcServer } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type corev1, ManualClock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { describe, expect, it } from 'vitest';
import type { RunningContainer } from '../runtime/container-runtime.ts';
import { ProgramProbing } from '../runtime/program-probing.ts';
import { ContainerProbes, judge, tally } from './container-probes.ts';
import { portOf, runAction } from './probe-actions.ts';

const never = new Promise<never>(() => {});
const log = { read: async function* () {} };

/** A container whose commands end as told. */
function aRunning(more: Partial<RunningContainer> = {}): RunningContainer {
  return { exited: never, log, signal: () => {}, ...more };
}

function record(container: Omit<corev1.Container, 'name'>, running: RunningContainer, clock: ManualClock) {
  const seen: string[] = [];
  const probes = new ContainerProbes(
    { container: { name: 'a', ...container }, podIP: '127.0.0.1', running, clock },
    clock.now(),
    {
      started: () => seen.push('started'),
      ready: (isReady) => seen.push(isReady ? 'ready' : 'unready'),
      failed: (kind) => seen.push(`${kind} failed`),
      unhealthy: (kind) => seen.push(`${kind} gave up`),
    },
  );
  probes.begin();
  return { seen, probes };
}

describe('judge', () => {
  it.each([
    ['failure needs its threshold in a row', { failureThreshold: 3 }, '--+--+---', [2, 5, 8]],
    ['success needs its threshold in a row', { successThreshold: 2 }, '+-++', [3]],
    ['defaults are one success and three failures', {}, '+---', [0, 3]],
  ])('When %s, it should judge only then', (_text, probe, results, verdictsAt) => {
    const counts = tally();
    const at: number[] = [];
    results.split('').forEach((one, index) => {
      if (judge(counts, { ok: one === '+', message: '' }, probe)) at.push(index);
    });
    expect(at).toEqual(verdictsAt);
  });
});

describe('ContainerProbes', () => {
  it('When there are no probes, the container should be started and ready at once', () => {
    expect(record({}, aRunning(), new ManualClock()).seen).toEqual(['started', 'ready']);
  });

  it('When a container is simulated, it should be ready after its delays and never be asked again', () => {
    const clock = new ManualClock();
    const { seen } = record(
      {
        startupProbe: { tcpSocket: { port: 1 }, initialDelaySeconds: 5 },
        readinessProbe: { tcpSocket: { port: 1 }, initialDelaySeconds: 10, successThreshold: 3, periodSeconds: 2 },
        livenessProbe: { tcpSocket: { port: 1 } },
      },
      aRunning({ answersProbes: true }),
      clock,
    );
    clock.advance(4999);
    expect(seen).toEqual([]);
    clock.advance(1);
    expect(seen).toEqual(['started']);
    clock.advance(8999);
    expect(seen).toEqual(['started']);
    clock.advance(1);
    expect(seen).toEqual(['started', 'ready']);
    clock.advance(1_000_000);
    expect(seen).toEqual(['started', 'ready']);
  });

  it('When a startup probe fails too often, the container should be given up and nothing else probed', async () => {
    const clock = new ManualClock();
    const running = aRunning({ exec: () => Promise.reject(new Error('no')) });
    const probe = { exec: { command: ['x'] }, periodSeconds: 1, failureThreshold: 2 };
    const { seen } = record({ startupProbe: probe, livenessProbe: probe }, running, clock);
    for (let i = 0; i < 5; i++) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen).toEqual(['startup failed', 'startup failed', 'startup gave up']);
  });
});

describe('Probes of programs inside this process', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  function aProgram() {
    const probing = new ProgramProbing();
    const state = { code: 503, asked: 0 };
    probing.answers.set(8080, () => {
      state.asked++;
      return state.code;
    });
    return { probing, state, running: aRunning({ probing }) };
  }

  const readinessProbe = { httpGet: { port: 8080, path: '/readyz' }, initialDelaySeconds: 30, periodSeconds: 10 };

  it('When the program says that it is ready, it should be ready without waiting for delay and period', async () => {
    const clock = new ManualClock();
    const { probing, state, running } = aProgram();
    const { seen } = record({ readinessProbe }, running, clock);
    clock.advance(50);
    await settle();
    expect(seen).toEqual(['started']);
    state.code = 200;
    probing.wanted();
    clock.advance(0);
    await settle();
    expect(seen).toEqual(['started', 'ready']);
  });

  it('When it says nothing, it should be asked soon and ever more seldom, and only due probes should count', async () => {
    const clock = new ManualClock();
    const { state, running } = aProgram();
    const { seen } = record({ readinessProbe: { ...readinessProbe, failureThreshold: 1 } }, running, clock);
    for (let ms = 0; ms < 29_990; ms += 10) {
      clock.advance(10);
      await settle();
    }
    expect(seen).toEqual(['started']);
    expect(state.asked).toBeGreaterThan(5);
    expect(state.asked).toBeLessThan(15);
    clock.advance(10_000);
    await settle();
    expect(seen).toEqual(['started', 'readiness failed', 'unready']);
  });

  it('When it has passed, it should be asked once a period', async () => {
    const clock = new ManualClock();
    const { state, running } = aProgram();
    state.code = 200;
    record({ readinessProbe }, running, clock);
    for (let i = 0; i < 60; i++) {
      clock.advance(1000);
      await settle();
    }
    expect(state.asked).toBe(6);
  });
});

describe('probe actions', () => {
  const target = {
    container: { name: 'a', ports: [{ name: 'web', containerPort: 8080 }] },
    podIP: '127.0.0.1',
    running: aRunning(),
    clock: systemClock,
  };

  it('When a server answers, its status should decide', async () => {
    const server = createServer((request, response) => response.writeHead(request.url === '/ok' ? 204 : 503).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await runAction({ httpGet: { port, path: '/ok' } }, target, 1000)).ok).toBe(true);
    expect(await runAction({ httpGet: { port } }, target, 1000)).toEqual({
      ok: false,
      message: 'HTTP probe failed with statuscode: 503',
    });
    expect((await runAction({ tcpSocket: { port } }, target, 1000)).ok).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect((await runAction({ tcpSocket: { port } }, target, 1000)).message).toContain('connection refused');
    expect((await runAction({ httpGet: { port } }, target, 1000)).ok).toBe(false);
  });

  it('When a server over TLS is asked again, it should be asked on a new connection within the same session', async () => {
    const now = Date.now();
    const authority = await createAuthority({ subject: { commonName: 'unknown' }, now });
    const serving = await issue(authority, { subject: { commonName: 'other-name' }, role: 'server', now });
    const resumed: boolean[] = [];
    const server = createTlsServer({ cert: serving.certificatePem, key: serving.keyPem }, (request, response) => {
      resumed.push((request.socket as TLSSocket).isSessionReused());
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const another = { ...target, running: aRunning() };
    for (const asker of [target, target, another])
      expect(await runAction({ httpGet: { port, scheme: 'HTTPS' } }, asker, 5000)).toMatchObject({ ok: true });
    // A session is the container's own, and goes with it.
    expect(resumed).toEqual([false, true, false]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('When a server does not answer in time, the probe should fail', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await runAction({ httpGet: { port } }, target, 50)).message).toContain('deadline exceeded');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    [1, true],
    [2, false],
  ])('When a gRPC service says %d, it should be taken as %s', async (status, ok) => {
    const server = createGrpcServer();
    server.on('stream', (stream) => {
      stream.on('data', () => {});
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.from([0, 0, 0, 0, 2, 8, status]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await runAction({ grpc: { port, service: 'x' } }, target, 2000)).ok).toBe(ok);
    await new Promise((resolve) => server.close(resolve));
  });

  it('When a port is named, the container should know it', () => {
    expect(portOf('web', target.container)).toBe(8080);
    expect(portOf('81', target.container)).toBe(81);
    expect(() => portOf('nobody', target.container)).toThrow('couldn\'t find port "nobody"');
  });
});
