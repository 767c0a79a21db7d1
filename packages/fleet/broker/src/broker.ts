import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';

/** What is to become of an event after it was handled. An exception counts as `retry`. */
export type Verdict =
  /** Done. */
  | 'ack'
  /** Deliver it again, after a while. */
  | 'retry'
  /** It will never work: take it out of the way. */
  | 'reject';

/** Handles one event; nothing returned means done. The signal is aborted when the subscriber closes. */
export type EventHandler = (event: CloudEvent, signal: AbortSignal) => Promise<Verdict | void>;

export interface BrokerHealth {
  readonly healthy: boolean;
  readonly message?: string;
}

/** Sends events to everybody who is subscribed to a topic. */
export interface Publisher {
  publish(topic: string, event: CloudEvent): Promise<void>;
  health(): Promise<BrokerHealth>;
  close(): Promise<void>;
}

/** Receives events. Subscribers of one subscription id share its events; each id gets all of them. */
export interface Subscriber {
  subscribe(topic: string, handler: EventHandler): Promise<void>;
  health(): Promise<BrokerHealth>;
  /** Stops receiving and waits for the handlers that are running. */
  close(): Promise<void>;
}

export type BrokerErrorKind = 'conversion' | 'handler' | 'publish' | 'connection' | 'overflow';

/** What a broker has to say while it works; for logs and metrics. */
export interface BrokerObserver {
  published?(topic: string): void;
  consumed?(topic: string, ms: number): void;
  failed?(topic: string, kind: BrokerErrorKind, error: unknown): void;
}

export interface SubscriberOptions {
  readonly subscriptionId: string;
  /** Events handled at the same time; default 1. */
  readonly parallelism?: number;
  readonly observer?: BrokerObserver;
}
