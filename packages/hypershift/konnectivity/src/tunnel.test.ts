import { createHash, randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ProxyRefusedError } from './dialer/konnectivity-dialer.ts';
import { listening, portOf } from './status-server.ts';
import { eventually, Loopback, readAll, type TestPki, testPki } from './testing/loopback.ts';

let pki: TestPki;
let there: Loopback;
let isNear = false;
beforeAll(async () => {
  pki = await testPki();
});
afterEach(() => there.close());

async function connected() {
  there = new Loopback(pki, isNear);
  const server = await there.server();
  const agent = await there.agent(server.ports.agents);
  await eventually(() => server.agents().length === 1);
  return { server, agent, dial: there.dialer(server) };
}

const sha = (data: Buffer) => createHash('sha256').update(data).digest('hex');

const ways = [
  { way: 'over gRPC', near: false },
  { way: 'inside a process', near: true },
];

describe('an agent that comes before its server', () => {
  it('When the server starts in the same process, it should not wait for its next attempt', async () => {
    there = new Loopback(pki, true);
    const failures: Error[] = [];
    // Nobody listens on the discard port, and the next attempt by the clock would be in an hour.
    const slow = { syncIntervalMs: 3_600_000, syncIntervalCapMs: 3_600_000 };
    const agent = await there.agent(9, { ...slow, onError: (error) => failures.push(error) });
    await eventually(() => failures.length === 1);
    expect(agent.servers()).toEqual([]);
    const server = await there.server();
    await eventually(() => server.agents().length === 1);
    expect(failures).toHaveLength(1);
  });
});

describe.each(ways)('the tunnel $way', ({ near }) => {
  beforeAll(() => {
    isNear = near;
  });

  it('When an HTTP request goes through it, it should bring the answer of the target', async () => {
    const { dial } = await connected();
    const target = createServer((incoming, response) => response.end(`you asked for ${incoming.url}`));
    await listening(target, { host: '127.0.0.1', port: 0 });
    const connection = await dial('127.0.0.1', portOf(target));
    const answer = await new Promise<string>((resolve, reject) => {
      const outgoing = request({ path: '/pods', createConnection: () => connection as never }, (response) => {
        readAll(response).then((body) => resolve(body.toString()), reject);
      });
      outgoing.on('error', reject).end();
    });
    target.closeAllConnections();
    target.close();
    expect(answer).toBe('you asked for /pods');
  });

  it.each(['through the front', 'in process'])(
    'When HTTPS runs inside it %s, it should reach a kubelet',
    async (way) => {
      const { server, dial } = await connected();
      const kubelet = createTlsServer(pki.server, (incoming, response) => response.end(`logs of ${incoming.url}`));
      await listening(kubelet, { host: '127.0.0.1', port: 0 });
      const open = way === 'in process' ? server.dial : dial;
      const socket = connectTls({ socket: await open('127.0.0.1', portOf(kubelet)), ...pki.client, host: 'localhost' });
      const answer = await new Promise<string>((resolve, reject) => {
        const outgoing = request({ path: '/containerLogs', createConnection: () => socket }, (response) => {
          readAll(response).then((body) => resolve(body.toString()), reject);
        });
        outgoing.on('error', reject).end();
      });
      kubelet.closeAllConnections();
      kubelet.close();
      expect(answer).toBe('logs of /containerLogs');
    },
  );

  it('When megabytes go both ways at once, it should deliver every byte in order', async () => {
    const { dial } = await connected();
    const up = randomBytes(24 * 1024 * 1024);
    const down = randomBytes(24 * 1024 * 1024);
    let arrived = '';
    const port = await there.target((socket) => {
      const hash = createHash('sha256');
      socket.on('data', (data) => hash.update(data));
      socket.on('end', () => {
        arrived = hash.digest('hex');
      });
      socket.write(down);
      socket.once('end', () => socket.end());
    });
    const connection = await dial('127.0.0.1', port);
    connection.end(up);
    expect(sha(await readAll(connection))).toBe(sha(down));
    expect(arrived).toBe(sha(up));
  });

  it('When hundreds of connections are open together, it should keep them apart', async () => {
    const { server, agent, dial } = await connected();
    const port = await there.target((socket) => void socket.pipe(socket));
    const talk = async (index: number) => {
      const connection = await dial('127.0.0.1', port);
      connection.end(`connection ${index};`.repeat(1000));
      return (await readAll(connection)).toString() === `connection ${index};`.repeat(1000);
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => talk(index)));
    expect(answers.every(Boolean)).toBe(true);
    await eventually(() => agent.openConnections() === 0);
    expect(server.metrics()).toContain('konnectivity_network_proxy_server_established_connections 0');
  });

  it('When the client ends its side, it should still get what the target answers to that', async () => {
    const { dial } = await connected();
    const port = await there.target((socket) => {
      readAll(socket).then(
        (question) => socket.end(`heard ${question.toString()}`),
        () => {},
      );
    });
    const connection = await dial('127.0.0.1', port);
    connection.end('all of it');
    expect((await readAll(connection)).toString()).toBe('heard all of it');
  });

  it('When the client aborts, it should close the connection to the target', async () => {
    const { dial } = await connected();
    let closed = false;
    const port = await there.target((socket) => {
      const endless = setInterval(() => socket.write('more'), 5);
      socket.once('close', () => {
        clearInterval(endless);
        closed = true;
      });
    });
    const connection = await dial('127.0.0.1', port);
    await new Promise((resolve) => connection.once('data', resolve));
    connection.destroy();
    await eventually(() => closed);
    expect(closed).toBe(true);
  });

  it('When a reader is slow, it should hold the sender back and lose nothing', async () => {
    const { dial } = await connected();
    const total = 64 * 1024 * 1024;
    let sent = 0;
    const port = await there.target((socket) => {
      const block = Buffer.alloc(64 * 1024, 7);
      const more = () => {
        while (sent < total) {
          sent += block.length;
          if (!socket.write(block)) return void socket.once('drain', more);
        }
        socket.end();
      };
      more();
    });
    const connection = await dial('127.0.0.1', port);
    let last = -1;
    await eventually(async () => {
      const settled = sent === last;
      last = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return settled && sent > 0;
    });
    // Kernel buffers, HTTP/2 windows and our own buffers, but not the whole transfer.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect((await readAll(connection)).length).toBe(total);
  });

  it('When a reader takes nothing for too long, it should be cut off so that its neighbours go on', async () => {
    there = new Loopback(pki, isNear);
    const server = await there.server({ stallTimeoutMs: 300 });
    await there.agent(server.ports.agents);
    await eventually(() => server.agents().length === 1);
    const flood = await there.target((socket) => {
      const block = Buffer.alloc(64 * 1024);
      const more = () => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on('drain', more);
      more();
    });
    const echo = await there.target((socket) => void socket.pipe(socket));
    const stuck = await server.dial('127.0.0.1', flood);
    const neighbour = await server.dial('127.0.0.1', echo);
    await eventually(() => stuck.readableLength > 1024 * 1024);
    neighbour.end('hello');
    expect((await readAll(neighbour)).toString()).toBe('hello');
    expect(stuck.destroyed).toBe(true);
  });

  it('When nothing listens at the target, it should say so with 502', async () => {
    const { dial } = await connected();
    const error = await dial('127.0.0.1', 1).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProxyRefusedError);
    expect(error).toMatchObject({ statusCode: 502 });
    expect((error as Error).message).toContain('connection refused');
  });
});

describe.each(ways)('agents that come and go $way', ({ near }) => {
  beforeAll(() => {
    isNear = near;
  });

  it('When no agent is connected, it should refuse with the reason', async () => {
    there = new Loopback(pki, isNear);
    const server = await there.server();
    const error = await there
      .dialer(server)('127.0.0.1', 80)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ statusCode: 500 });
    expect((error as Error).message).toContain('currently no tunnels available: No agent available');
  });

  it('When the agent dies, it should break its connections, and work again with the next agent', async () => {
    const { server, agent, dial } = await connected();
    const port = await there.target((socket) => void socket.pipe(socket));
    const connection = await dial('127.0.0.1', port);
    const broke = new Promise<void>((resolve) => connection.once('end', resolve).once('close', resolve));
    connection.on('error', () => {}).resume();
    await agent.close();
    await broke;
    await expect(dial('127.0.0.1', port)).rejects.toThrow('No agent available');
    await there.agent(server.ports.agents);
    await eventually(() => server.agents().length === 1);
    const next = await dial('127.0.0.1', port);
    next.end('hello');
    expect((await readAll(next)).toString()).toBe('hello');
  });

  it('When the server restarts, it should get its agent back', async () => {
    const { server, agent } = await connected();
    const { agents } = server.ports;
    await server.close();
    await eventually(() => agent.servers().length === 0);
    const again = await there.server({ agents: { host: '127.0.0.1', port: agents, tls: pki.server } });
    await eventually(() => again.agents().length === 1 && agent.servers().length === 1);
    expect(agent.servers()).toEqual([again.serverID]);
  });

  it('When an agent drains, it should give new connections to another one', async () => {
    const { server, agent } = await connected();
    const other = await there.agent(server.ports.agents);
    await eventually(() => server.agents().length === 2);
    agent.drain();
    await eventually(() => server.metrics().includes('packet_type="DRAIN"'));
    const port = await there.target((socket) => void socket.pipe(socket));
    for (let index = 0; index < 10; index++) await server.dial('127.0.0.1', port);
    expect([agent.openConnections(), other.openConnections()]).toEqual([0, 10]);
  });
});

describe.each(ways)('certificates $way', ({ near }) => {
  beforeAll(() => {
    isNear = near;
  });

  it('When the client certificate is of another CA, it should be refused by the front', async () => {
    const { server } = await connected();
    const stranger = new Loopback({ ...pki, client: { ...(await testPki('other')).client, ca: pki.client.ca } });
    await expect(stranger.dialer(server)('127.0.0.1', 80)).rejects.toThrow(/cannot be reached|hung up/);
  });

  it('When the agent shows a certificate of another CA, it should not get in', async () => {
    const { server, agent } = await connected();
    const { client } = await testPki('other');
    let refused: Error | undefined;
    await there.agent(server.ports.agents, {
      server: { host: '127.0.0.1', port: server.ports.agents, tls: { ...client, ca: pki.client.ca } },
      onError: (error) => {
        refused = error;
      },
    });
    await eventually(() => refused !== undefined);
    expect(server.agents()).toEqual([agent.agentID]);
  });
});
