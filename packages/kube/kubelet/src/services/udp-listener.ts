import { createSocket, type Socket } from 'node:dgram';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { type Delayed, sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { BackendChoice } from './backend-choice.ts';
import type { ListenerSpec } from './listener-spec.ts';
import type { ServiceListener } from './tcp-listener.ts';

const idleMs = 60_000;
const maxFlows = 4_096;

interface Flow {
  readonly socket: Socket;
  timer: Delayed;
}

/** Passes datagrams on; answers go back to whoever asked, for as long as there is traffic. */
export async function openUdpListener(spec: ListenerSpec, clock: Clock): Promise<ServiceListener> {
  const choice = new BackendChoice(spec, clock);
  const flows = new Map<string, Flow>();
  const server = createSocket('udp4');
  const end = (key: string) => {
    const flow = flows.get(key);
    flows.delete(key);
    if (!flow) return;
    flow.timer.callback = undefined;
    flow.socket.close();
  };
  const after = (key: string) => sharedDelayHeap(clock).after(idleMs, () => end(key));
  server.on('message', (data, { address, port }) => {
    const key = `${address}:${port}`;
    let flow = flows.get(key);
    if (!flow) {
      const [backend] = choice.candidates(address);
      if (!backend || flows.size >= maxFlows) return;
      choice.chosen(address, backend);
      const socket = createSocket('udp4');
      socket.on('error', () => end(key));
      socket.on('message', (answer) => server.send(answer, port, address));
      socket.connect(backend.port, backend.address, () => socket.send(data));
      socket.unref();
      flows.set(key, { socket, timer: after(key) });
      return;
    }
    flow.timer.callback = undefined;
    flow.timer = after(key);
    try {
      flow.socket.send(data);
    } catch {
      // Not connected yet; datagrams may be lost.
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.bind({ address: spec.address, port: spec.port, exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', () => {});
      resolve();
    });
  });
  server.unref();
  let isClosed = false;
  const close = async () => {
    for (const key of flows.keys()) end(key);
    if (isClosed) return;
    isClosed = true;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return { update: (next) => choice.update(next), drain: close, close };
}
