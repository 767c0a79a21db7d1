import { delay } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import type { ProcessDirectory } from '../directory.ts';
import { kubeconfigOf } from './kubeconfig-file.ts';
import { NearestClient, NearestServer } from './nearest-client.ts';

/** How long a component waits for its API server before it ends and is started again. */
const patienceMs = 60_000;

/** Between two looks at a server that is not there yet; being refused is cheap, and everybody waits for this. */
export const longestPauseMs = 250;

/** The way a container's kubeconfig leads, for one client or several. */
export function serverOf(context: BuiltinContext, directory: ProcessDirectory, kubeconfig: string): NearestServer {
  return new NearestServer({ config: () => kubeconfigOf(context, kubeconfig), directory, clock: context.clock });
}

/** A client with the identity of a container's kubeconfig. */
export function clientFrom(context: BuiltinContext, server: NearestServer, userAgent: string): NearestClient {
  return new NearestClient({ server, clock: context.clock, userAgent });
}

/** Resolves true when the API server is well, false when the container is to stop first; throws after a minute. */
export async function apiServerAnswers(
  client: Client,
  { clock, signal }: Pick<BuiltinContext, 'clock' | 'signal'>,
  log: (message: string) => void,
): Promise<boolean> {
  const deadline = clock.now() + patienceMs;
  let said = '';
  for (let pause = 50; !signal.aborted; pause = Math.min(pause * 1.5, longestPauseMs)) {
    try {
      await client.raw('GET', '/healthz', { signal });
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (clock.now() >= deadline) throw new Error(`the API server does not answer: ${message}`, { cause: error });
      if (message !== said) log(`waiting for the API server: ${message}`);
      said = message;
    }
    await delay(clock, pause, signal);
  }
  return false;
}
