import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnyResponse } from './exchange.ts';
import { Listener } from './listener.ts';

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** A listener whose requests are answered when the test says so. */
async function aListener() {
  const now = Date.now();
  const authority = await createAuthority({ subject: { commonName: 'ca' }, now });
  const issued = await issue(authority, {
    subject: { commonName: 'localhost' },
    role: 'server',
    ipAddresses: ['127.0.0.1'],
    now,
  });
  const waiting: AnyResponse[] = [];
  const listener = new Listener({
    bindAddress: '127.0.0.1',
    port: 0,
    certificate: issued.certificatePem,
    key: issued.keyPem,
    onRequest: (_request, response) => void waiting.push(response),
    onUpgrade: () => {},
  });
  const { port } = await listener.listen();
  const ca = authority.certificatePem;
  const session = () => {
    const made = connect(`https://127.0.0.1:${port}`, { ca });
    made.on('error', () => {});
    endings.push(() => made.destroy());
    return made;
  };
  const arrived = async (count: number) => {
    while (waiting.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { listener, port, ca, session, waiting, arrived };
}

function get(session: ClientHttp2Session): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': '/' });
    stream.on('response', (headers) => resolve(Number(headers[':status'])));
    stream.on('error', reject);
    stream.on('close', () => reject(new Error('no answer')));
    stream.resume();
  });
}

describe('Listener.close', () => {
  it('When requests of HTTP/2 are under way, it should say goodbye and answer them', async () => {
    const { listener, session, waiting, arrived } = await aListener();
    const client = session();
    const answer = get(client);
    await arrived(1);
    const goodbye = once(client, 'goaway');
    const closed = listener.close(10_000);
    await goodbye;
    waiting[0]!.end();
    expect(await answer).toBe(200);
    await closed;
  });

  it('When connections of HTTP/1.1 are kept alive, it should hang up on idle ones and after the last answer', async () => {
    const { listener, port, ca, waiting, arrived } = await aListener();
    const agent = new Agent({ keepAlive: true, ca });
    endings.push(() => agent.destroy());
    const ask = () =>
      new Promise<number>((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, agent }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        asked.on('error', reject);
        asked.end();
      });
    const [first, second] = [ask(), ask()];
    await arrived(2);
    waiting[0]!.end();
    await Promise.race([first, second]);
    const closed = listener.close(10_000);
    waiting[1]!.end();
    expect(await Promise.all([first, second])).toEqual([200, 200]);
    await closed;
  });

  it('When a request takes longer than the grace, or a connection never said a word, it should cut them', async () => {
    const { listener, port, session, arrived } = await aListener();
    const silent = connectTcp(port, '127.0.0.1');
    await once(silent, 'connect');
    const answer = get(session()).catch((error: Error) => error);
    await arrived(1);
    await listener.close(100);
    expect(await answer).toBeInstanceOf(Error);
  });
});
