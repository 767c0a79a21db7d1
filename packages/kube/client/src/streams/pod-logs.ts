import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '../http/http-client.ts';
import { objectPath, queryString } from '../http/resource-path.ts';

export interface LogOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly limitBytes?: number;
  readonly signal?: AbortSignal;
}

export const pods: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  namespaced: true,
};

/** A container's log as it comes; with `follow` until the container ends or the signal aborts. */
export async function* streamLogs(
  client: HttpClient,
  pod: ObjectKey,
  options: LogOptions = {},
): AsyncGenerator<Buffer> {
  const { signal, ...parameters } = options;
  const path = objectPath(pods, pod, 'log') + queryString(parameters);
  const { body } = await client.requester.open({ method: 'GET', path, headers: { accept: '*/*' }, signal });
  const stop = () => void body.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    body.destroy();
  }
}
