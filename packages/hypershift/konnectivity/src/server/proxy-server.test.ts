import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { konnectivityDialer } from '../dialer/konnectivity-dialer.ts';
import { eventually, Loopback, readAll, type TestPki, testPki } from '../testing/loopback.ts';
import { decodePacket, encodePacket, type Packet } from '../wire/packet.ts';
import { proxyPath } from '../wire/services.ts';
import type { ProxyServer } from './proxy-server.ts';

let pki: TestPki;
let there: Loopback;
beforeAll(async () => {
  pki = await testPki();
});
afterEach(() => there.close());

const loopback = { host: '127.0.0.1', port: 0 };
const get = async (port: number, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
};

describe('the server', () => {
  it('When an agent comes, it should become ready, and count what it carries', async () => {
    there = new Loopback(pki);
    const server = await there.server({ health: loopback, admin: loopback });
    const { health, admin, agents } = server.ports;
    expect(await get(health, '/healthz')).toEqual({ status: 200, text: 'ok' });
    expect(await get(health, '/readyz')).toMatchObject({ status: 503 });
    await there.agent(agents);
    await eventually(() => server.agents().length === 1);
    expect(await get(health, '/readyz')).toEqual({ status: 200, text: 'ok' });
    const port = await there.target((socket) => void socket.pipe(socket));
    const connection = await server.dial('127.0.0.1', port);
    connection.end('hello');
    expect((await readAll(connection)).toString()).toBe('hello');
    const { text } = await get(admin, '/metrics');
    expect(text).toContain('konnectivity_network_proxy_server_ready_backends{proxy_strategy="default"} 1');
    expect(text).toContain('_stream_packets_total{segment="to_agent",packet_type="DIAL_REQ"} 1');
  });

  it('When three servers share the agents, it should let every agent find all three', async () => {
    there = new Loopback(pki);
    const servers: ProxyServer[] = [];
    for (let index = 0; index < 3; index++) servers.push(await there.server({ serverCount: 3 }));
    // A balancer in front of them, turn by turn.
    let turn = 0;
    const port = await there.target((socket) => {
      const upstream = connect(servers[turn++ % 3]?.ports.agents ?? 0, '127.0.0.1');
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
      upstream.on('close', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    const agent = await there.agent(port);
    await eventually(() => agent.servers().length === 3);
    expect([...agent.servers()].sort()).toEqual(servers.map((server) => server.serverID).sort());
  });

  it('When agents must show tokens, it should let in only the good one', async () => {
    there = new Loopback(pki);
    const server = await there.server({
      authenticateAgent: async (token) => {
        if (token !== 'good') throw new Error('not a token of ours');
      },
    });
    const refusals: string[] = [];
    const onError = (error: Error) => refusals.push(error.message);
    await there.agent(server.ports.agents, { token: async () => 'bad\n', onError });
    await eventually(() => refusals.length > 0);
    expect(refusals[0]).toContain('not a token of ours');
    await there.agent(server.ports.agents, { agentID: 'trusted', token: async () => 'good\n' });
    await eventually(() => server.agents().length > 0);
    expect(server.agents()).toEqual(['trusted']);
  });

  it('When too many connections are open, it should refuse the next one', async () => {
    there = new Loopback(pki);
    const server = await there.server({ maxConnections: 1 });
    await there.agent(server.ports.agents);
    await eventually(() => server.agents().length === 1);
    const port = await there.target(() => {});
    await server.dial('127.0.0.1', port);
    await expect(server.dial('127.0.0.1', port)).rejects.toThrow('1 connections are open already');
  });

  it('When its front is a Unix socket, it should serve CONNECT there', async () => {
    there = new Loopback(pki);
    const folder = await mkdtemp(join(tmpdir(), 'konnectivity-'));
    const path = join(folder, 'front.sock');
    const server = await there.server({ front: { path } });
    await there.agent(server.ports.agents);
    await eventually(() => server.agents().length === 1);
    const port = await there.target((socket) => void socket.pipe(socket));
    const connection = await konnectivityDialer({ proxy: { path } })('127.0.0.1', port);
    connection.end('hello');
    expect((await readAll(connection)).toString()).toBe('hello');
    await rm(folder, { recursive: true });
  });
});

describe('the gRPC front', () => {
  it('When a client dials, talks and closes, it should answer each with its packet', async () => {
    there = new Loopback(pki);
    const server = await there.server({ mode: 'grpc' });
    await there.agent(server.ports.agents);
    await eventually(() => server.agents().length === 1);
    const port = await there.target((socket) => void socket.pipe(socket));
    const { ca, key, cert } = pki.client;
    const tls = credentials.createSsl(Buffer.from(ca), Buffer.from(key), Buffer.from(cert));
    const client = new Client(`localhost:${server.ports.front}`, tls);
    const call = client.makeBidiStreamRequest(proxyPath, encodePacket, decodePacket);
    const received: Packet[] = [];
    call.on('data', (packet: Packet) => received.push(packet));
    call.on('error', () => {});
    call.write({ type: 'DIAL_REQ', protocol: 'tcp', address: `127.0.0.1:${port}`, random: 42n });
    await eventually(() => received.length === 1);
    expect(received[0]).toEqual({ type: 'DIAL_RSP', error: '', connectID: 1, random: 42n });
    call.write({ type: 'DATA', connectID: 1, error: '', data: Buffer.from('hello') });
    await eventually(() => received.length === 2);
    expect(received[1]).toMatchObject({ type: 'DATA', connectID: 1, data: Buffer.from('hello') });
    call.write({ type: 'CLOSE_REQ', connectID: 1 });
    await eventually(() => received.length === 3);
    expect(received[2]).toEqual({ type: 'CLOSE_RSP', error: '', connectID: 1 });
    call.write({ type: 'DIAL_REQ', protocol: 'tcp', address: '127.0.0.1:1', random: 43n });
    await eventually(() => received.length === 4);
    expect(received[3]).toMatchObject({ type: 'DIAL_RSP', connectID: 0, random: 43n });
    call.cancel();
    client.close();
  });
});
