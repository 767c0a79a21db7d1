import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';

export interface Traffic {
  readonly answered: number;
  readonly failures: readonly string[];
}

/** One client's way of asking, again and again; `connect` opens a new connection. */
type Habit = (connect: () => Promise<HttpClient>, round: number) => Promise<void>;

/** Each habit is somebody's: controllers keep a connection, command lines open one every time, many write. */
const habits: { readonly [who: string]: () => Habit } = {
  'reader that keeps its connection': () => {
    let client: HttpClient | undefined;
    return async (connect) => {
      client ??= await connect();
      await client.list(corev1.namespaces);
    };
  },
  'reader that connects every time': () => async (connect) => {
    const client = await connect();
    try {
      await client.list(corev1.nodes);
    } finally {
      await client.close();
    }
  },
  writer: () => {
    let client: HttpClient | undefined;
    return async (connect, round) => {
      client ??= await connect();
      const key = { namespace: 'default', name: `busy-${round}` };
      await client.create(corev1.configmaps, { metadata: key, data: { round: String(round) } });
      const { data } = await client.get(corev1.configmaps, key);
      if (data?.['round'] !== String(round)) throw new Error(`read ${data?.['round']} after writing ${round}`);
      await client.delete(corev1.configmaps, key);
    };
  },
};

/** Asks a hosted API server in several ways all the time that some work takes; answers what failed, if anything did. */
export async function underRequests(connect: () => Promise<HttpClient>, work: () => Promise<void>): Promise<Traffic> {
  const failures: string[] = [];
  const opened: HttpClient[] = [];
  const remembered = async () => {
    const client = await connect();
    opened.push(client);
    return client;
  };
  let answered = 0;
  let isOver = false;
  const asking = Object.entries(habits).map(async ([who, habit]) => {
    const ask = habit();
    for (let round = 0; !isOver; round++) {
      try {
        await ask(remembered, round);
        answered++;
      } catch (error) {
        failures.push(`${new Date().toISOString()} ${who}, round ${round}: ${String(error)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(asking);
    await Promise.all(opened.map((client) => client.close()));
  }
  return { answered, failures };
}
