import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';

export interface AgentSubscriber {
  onEvent(event: CloudEvent): void;
  /** Called after every subscription, the first one and those after a lost connection: what was missed must be asked for. */
  onSubscribed(): void;
}

/** The way between an agent and its server. */
export interface AgentTransport {
  /** Delivers what is for the consumer until the signal aborts; connects again by itself. */
  subscribe(consumer: string, subscriber: AgentSubscriber, signal: AbortSignal): Promise<void>;
  /** Resolves when the other side has the event. */
  publish(event: CloudEvent): Promise<void>;
}
