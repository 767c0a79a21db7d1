import {
  type Clock,
  errorMessage,
  type KubeObject,
  type ResourceType,
  systemClock,
} from '@hypershift-ts/kube-apimachinery';
import { type Client, InformerCache } from '@hypershift-ts/kube-client';
import { exitCodes, UserError } from '../cli-error.ts';
import { type Cause, causeText } from './cause.ts';

export interface ObjectWait<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly namespace: string;
  readonly name: string;
  /** For the message when time is over. */
  readonly subject: string;
  /** What is still awaited; undefined ends the wait. The object is undefined when it does not exist. */
  readonly look: (object: T | undefined) => Cause | undefined;
  /** 0 or absent: for ever. */
  readonly timeoutMs?: number;
  /** Told whenever what is awaited changes. */
  readonly onProgress?: (cause: Cause) => void;
  /** What to do when time is over. */
  readonly fix?: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** Follows one object until nothing is awaited any more. */
export async function waitForObject<T extends KubeObject>(options: ObjectWait<T>): Promise<void> {
  const { client, type, namespace, name, timeoutMs = 0, clock = systemClock, signal } = options;
  let failure: unknown;
  const cache = new InformerCache({ client, clock, onError: (error) => (failure = error) });
  const informer = cache.informer(type, { namespace, fieldSelector: `metadata.name=${name}` });
  let last: Cause | undefined;
  let told = '';
  let cancelTimer = () => {};
  let onAbort = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!informer.hasSynced()) return;
        last = options.look(informer.get({ namespace, name }));
        if (!last) return resolve();
        const text = causeText(last);
        if (text !== told) options.onProgress?.(last);
        told = text;
      };
      informer.addHandler({ added: look, updated: look, deleted: look });
      void informer.whenSynced(signal).then(look);
      if (timeoutMs > 0) cancelTimer = clock.after(timeoutMs, () => reject(timedOut(options, last, failure)));
      onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      cache.start();
    });
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
    await cache.stop();
  }
}

function timedOut(
  { subject, timeoutMs = 0, fix }: Pick<ObjectWait<KubeObject>, 'subject' | 'timeoutMs' | 'fix'>,
  last: Cause | undefined,
  failure: unknown,
): UserError {
  const unheard = failure === undefined ? '' : `: ${errorMessage(failure)}`;
  const why = last ? causeText(last) : `the management cluster did not answer${unheard}`;
  return new UserError(`${subject} is not done after ${Math.round(timeoutMs / 1000)}s: ${why}`, fix, {
    exitCode: exitCodes.timedOut,
  });
}
