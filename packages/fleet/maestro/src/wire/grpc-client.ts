import {
  type CallOptions,
  ChannelCredentials,
  Client,
  type ClientReadableStream,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { type Clock, delay, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Random } from '@hypershift-ts/kube-client';
import { sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { fromMessage, isHeartbeat, toMessage } from './grpc-event.ts';
import { type CloudEventMessage, cloudEventService, type SubscriptionMessage } from './grpc-service.ts';

export interface GrpcClientOptions {
  /** host:port */
  readonly address: string;
  readonly credentials?: ChannelCredentials;
  /** Sent with every call, when there is one; read anew each time since tokens run out. */
  readonly token?: () => Promise<string>;
  /** Without a heartbeat for this long the stream is made again. */
  readonly patienceMs?: number;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface StreamHandlers {
  onEvent(event: CloudEvent): void;
  onSubscribed(): void;
  /** Something came that is no event, or the connection was lost. */
  onProblem?(error: Error): void;
}

const publishMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 60_000;

/** Publishes events and holds one subscription, over a connection that is made again whenever it is lost. */
export class CloudEventClient {
  private readonly options: GrpcClientOptions;
  private readonly clock: Clock;
  private readonly client: Client;

  constructor(options: GrpcClientOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    const credentials = options.credentials ?? ChannelCredentials.createInsecure();
    this.client = new Client(options.address, credentials, { 'grpc.max_receive_message_length': -1 });
  }

  async publish(event: CloudEvent): Promise<void> {
    const { path, requestSerialize, responseDeserialize } = cloudEventService.Publish;
    const metadata = await this.metadata();
    const deadline: CallOptions = { deadline: Date.now() + publishMs };
    await new Promise<void>((resolve, reject) => {
      this.client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        { event: toMessage(event) },
        metadata,
        deadline,
        (error: ServiceError | null) => (error ? reject(error) : resolve()),
      );
    });
  }

  /** Delivers until the signal aborts. */
  async subscribe(request: SubscriptionMessage, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      try {
        await this.stream(
          request,
          { ...handlers, onSubscribed: () => ((pauseMs = firstPauseMs), handlers.onSubscribed()) },
          signal,
        );
      } catch (error) {
        if (signal.aborted) return;
        handlers.onProblem?.(error as Error);
      }
      const random = this.options.random ?? Math.random;
      await delay(this.clock, pauseMs * (1 + random()), signal).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  close(): void {
    this.client.close();
  }

  /** One stream, until it ends. */
  private async stream(request: SubscriptionMessage, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
    const { path, requestSerialize, responseDeserialize } = cloudEventService.Subscribe;
    const metadata = await this.metadata();
    if (signal.aborted) return;
    const stream: ClientReadableStream<CloudEventMessage> = this.client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize as (bytes: Buffer) => CloudEventMessage,
      request,
      metadata,
    );
    const cancel = () => stream.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const heap = sharedDelayHeap(this.clock);
    const { patienceMs } = this.options;
    let watchdog = patienceMs ? heap.after(patienceMs, cancel) : undefined;
    const alive = () => {
      if (!watchdog || !patienceMs) return;
      heap.cancel(watchdog);
      watchdog = heap.after(patienceMs, cancel);
    };
    try {
      await new Promise<void>((resolve, reject) => {
        stream.on('metadata', () => {
          alive();
          handlers.onSubscribed();
        });
        stream.on('data', (message: CloudEventMessage) => {
          alive();
          if (isHeartbeat(message)) return;
          try {
            handlers.onEvent(fromMessage({ ...message, attributes: message.attributes ?? {} }));
          } catch (error) {
            handlers.onProblem?.(error as Error);
          }
        });
        stream.on('error', reject);
        stream.on('end', resolve);
      });
    } finally {
      if (watchdog) heap.cancel(watchdog);
      signal.removeEventListener('abort', cancel);
    }
  }

  private async metadata(): Promise<Metadata> {
    const metadata = new Metadata();
    const { token } = this.options;
    if (token) metadata.set('authorization', `Bearer ${await token()}`);
    return metadata;
  }
}
