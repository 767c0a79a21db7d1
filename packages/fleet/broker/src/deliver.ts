import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { BrokerObserver, EventHandler, Verdict } from './broker.ts';

/** Lets a handler see an event and turns whatever happens into a verdict. */
export async function deliver(
  topic: string,
  event: CloudEvent,
  handler: EventHandler,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly observer?: BrokerObserver | undefined },
): Promise<Verdict> {
  const { clock, signal, observer } = options;
  const started = clock.now();
  try {
    return (await handler(event, signal)) ?? 'ack';
  } catch (error) {
    observer?.failed?.(topic, 'handler', error);
    return 'retry';
  } finally {
    observer?.consumed?.(topic, clock.now() - started);
  }
}
