import { type ClientHttp2Session, connect } from 'node:http2';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';

const watchers = 1000;
const events = 100;
const aimMs = 100;

/** Delivery to 1 000 watchers on HTTP/2: from the moment the write is asked for until the last watcher has it. */
export async function benchWatch(print: (line: string) => void): Promise<void> {
  const cluster = await EmbeddedCluster.start({ controllers: false });
  const { admin, authority } = cluster.identity;
  const sessions = Array.from({ length: 4 }, () =>
    connect(cluster.server, { ca: authority.certificatePem, cert: admin.certificatePem, key: admin.keyPem }),
  );
  const delays: number[] = [];
  let received = 0;
  const sentAt = new Map<string, number>();
  const onLine = (line: string): void => {
    const name = /"name":"(e-\d+)"/.exec(line)?.[1];
    if (!name) return;
    received++;
    delays.push(performance.now() - sentAt.get(name)!);
  };
  await Promise.all(
    Array.from({ length: watchers }, (_, index) => openWatch(sessions[index % sessions.length]!, onLine)),
  );
  const client = cluster.client();
  const began = performance.now();
  for (let i = 0; i < events; i++) {
    sentAt.set(`e-${i}`, performance.now());
    await client.create(corev1.configmaps, {
      metadata: { name: `e-${i}`, namespace: 'default' },
      data: { text: 'x'.repeat(900) },
    });
    while (received < (i + 1) * watchers) await new Promise((resolve) => setImmediate(resolve));
  }
  const seconds = (performance.now() - began) / 1000;
  delays.sort((a, b) => a - b);
  const p99 = delays[Math.floor(delays.length * 0.99)]!;
  print(
    `${events} events to ${watchers} watchers: ${Math.round((events * watchers) / seconds)} deliveries/s, p50 ${delays[delays.length >> 1]!.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms = ${Math.round((100 * p99) / aimMs)} % of the ${aimMs} ms aim`,
  );
  for (const session of sessions) session.destroy();
  await cluster.stop();
}

function openWatch(session: ClientHttp2Session, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': '/api/v1/namespaces/default/configmaps?watch=true' });
    let rest = '';
    stream.on('response', () => resolve());
    stream.on('error', reject);
    stream.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop()!;
      lines.forEach(onLine);
    });
  });
}
