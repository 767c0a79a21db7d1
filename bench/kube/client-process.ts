import { fork } from 'node:child_process';
import type { ClientTls, Rate, Volley } from './drive.ts';

export interface ClientProcess {
  /** Fires, and answers the rate with the processor time this process spent on each request. */
  readonly run: (volley: Volley) => Promise<Measured>;
  readonly close: () => void;
}

export type Measured = Rate & { readonly serverMicros: number };

/** A client in a process of its own, so that what is measured here is the server. */
export function clientProcess(server: string, tls: ClientTls): ClientProcess {
  const child = fork(new URL('client.js', import.meta.url));
  child.send({ connect: { server, tls } });
  return {
    async run(volley) {
      const before = process.cpuUsage();
      const answer = new Promise<{ rate?: Rate; error?: string }>((resolve, reject) => {
        child.once('message', resolve);
        child.once('exit', () => reject(new Error('the client ended')));
      });
      child.send({ volley });
      const { rate, error } = await answer;
      child.removeAllListeners();
      if (!rate) throw new Error(error);
      const { user, system } = process.cpuUsage(before);
      return { ...rate, serverMicros: (user + system) / volley.count };
    },
    close: () => child.disconnect(),
  };
}
