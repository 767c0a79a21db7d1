import { randomUUID } from 'node:crypto';
import {
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  status as codes,
} from '@grpc/grpc-js';
import { type CloudEvent, EventFormatError } from '@hypershift-ts/fleet-cloud-events';
import { type Clock, errorMessage, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Delayed, sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { parseEventType, workDataType } from '../protocol/event-type.ts';
import { fromMessage, heartbeat, toMessage } from '../wire/grpc-event.ts';
import {
  type CloudEventMessage,
  cloudEventService,
  type PublishMessage,
  type SubscriptionMessage,
} from '../wire/grpc-service.ts';
import { MaestroError, statusMessage } from './maestro-error.ts';
import type { WorkHub } from './work-hub.ts';

export interface GrpcServerOptions {
  readonly hub: WorkHub;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly credentials?: ServerCredentials;
  readonly clock?: Clock;
  readonly heartbeatMs?: number;
  /** Whether a caller may `pub` or `sub` as a source; everybody may when absent. */
  readonly authorize?: (metadata: Metadata, verb: 'pub' | 'sub', source: string) => Promise<boolean>;
}

export interface RunningGrpcServer {
  readonly address: string;
  close(): Promise<void>;
}

const largestMessage = 4 * 1024 * 1024;
/** Whoever does not read this many events is cut off, and asks again when it is back. */
const mostWaiting = 1000;

/** The port of sources: they write works and hear how these are. */
export function startSourceServer(options: GrpcServerOptions): Promise<RunningGrpcServer> {
  const { hub, authorize } = options;
  const allow = async (metadata: Metadata, verb: 'pub' | 'sub', source: string) => {
    if (authorize && !(await authorize(metadata, verb, source)))
      throw new MaestroError('forbidden', `unauthorized to ${verb} as source ${source}`);
  };
  return start(options, {
    async publish(event, metadata) {
      await allow(metadata, 'pub', event.source);
      await hub.fromSource(event);
    },
    async subscribe({ source }, deliver, metadata) {
      if (!source) throw new EventFormatError('the subscription names no source');
      await allow(metadata, 'sub', source);
      return hub.subscribeSource(source, deliver);
    },
    codeOf: () => codes.UNKNOWN,
  });
}

/** The port of agents: they hear what their cluster should have and say how it is. */
export function startBrokerServer(options: GrpcServerOptions): Promise<RunningGrpcServer> {
  const { hub } = options;
  return start(options, {
    publish: (event) => hub.fromAgent(event),
    async subscribe({ cluster_name: consumer, data_type: dataType }, deliver) {
      if (!consumer) throw new EventFormatError('the subscription names no cluster');
      if (!parseEventType(`${dataType}.spec.any`))
        throw new EventFormatError(`the subscription's data type ${JSON.stringify(dataType)} is none`);
      return dataType === workDataType ? hub.subscribeAgent(consumer, deliver) : () => {};
    },
    codeOf: (error) => (error instanceof EventFormatError ? codes.INVALID_ARGUMENT : codes.FAILED_PRECONDITION),
  });
}

interface Service {
  publish(event: CloudEvent, metadata: Metadata): Promise<void>;
  subscribe(
    request: SubscriptionMessage,
    deliver: (event: CloudEvent) => void,
    metadata: Metadata,
  ): Promise<() => void>;
  codeOf(error: unknown): codes;
}

async function start(options: GrpcServerOptions, service: Service): Promise<RunningGrpcServer> {
  const { host, port, credentials = ServerCredentials.createInsecure() } = options;
  const server = new Server({
    'grpc.max_receive_message_length': largestMessage,
    'grpc.max_send_message_length': -1,
  });
  server.addService(cloudEventService, {
    Publish: (call: ServerUnaryCall<PublishMessage, object>, answer: sendUnaryData<object>) =>
      void publish(service, call, answer),
    Subscribe: (call: ServerWritableStream<SubscriptionMessage, CloudEventMessage>) =>
      void subscribe(service, call, options),
  });
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`${host}:${port}`, credentials, (error, actual) => (error ? reject(error) : resolve(actual))),
  );
  return {
    address: `${host}:${bound}`,
    close: async () => server.forceShutdown(),
  };
}

async function publish(
  service: Service,
  { request, metadata }: ServerUnaryCall<PublishMessage, object>,
  answer: sendUnaryData<object>,
): Promise<void> {
  let name = '';
  try {
    if (!request.event) throw new EventFormatError('the request has no event');
    const event = fromMessage({ ...request.event, attributes: request.event.attributes ?? {} });
    name = String(event.extensions['resourceid'] ?? '');
    await service.publish(event, metadata);
    answer(null, {});
  } catch (error) {
    const details = error instanceof MaestroError ? statusMessage(error, name) : errorMessage(error);
    answer({ code: service.codeOf(error), details });
  }
}

async function subscribe(
  service: Service,
  call: ServerWritableStream<SubscriptionMessage, CloudEventMessage>,
  { clock = systemClock, heartbeatMs = 10_000 }: GrpcServerOptions,
): Promise<void> {
  let unsubscribe = () => {};
  let beat: Delayed | undefined;
  let isOver = false;
  const heap = sharedDelayHeap(clock);
  const end = () => {
    isOver = true;
    if (beat) heap.cancel(beat);
    unsubscribe();
  };
  call.on('cancelled', end);
  call.on('error', end);
  call.on('close', end);
  const send = (message: CloudEventMessage) => {
    if (isOver) return;
    // One who does not read must not hold up the others or fill the memory.
    if (call.writableLength > mostWaiting) {
      end();
      call.destroy(Object.assign(new Error('the subscriber does not read'), { code: codes.RESOURCE_EXHAUSTED }));
    } else call.write(message);
  };
  const alive = () => {
    send(heartbeat(randomUUID()));
    if (!isOver) beat = heap.after(heartbeatMs, alive);
  };
  try {
    const known = await service.subscribe(call.request, (event) => send(toMessage(event)), call.metadata);
    if (isOver) return known();
    unsubscribe = known;
    const header = new Metadata();
    header.set('subscription-id', randomUUID());
    call.sendMetadata(header);
    beat = heap.after(heartbeatMs, alive);
  } catch (error) {
    end();
    call.emit('error', { code: service.codeOf(error), details: errorMessage(error) });
  }
}
