import { workDataType } from '../protocol/event-type.ts';
import { CloudEventClient, type GrpcClientOptions } from '../wire/grpc-client.ts';
import type { AgentTransport } from './agent-transport.ts';

/** An agent's way over the gRPC broker of its server. */
export function grpcAgentTransport(
  options: GrpcClientOptions & { readonly onProblem?: (error: Error) => void },
): AgentTransport & { close(): void } {
  const client = new CloudEventClient(options);
  const { onProblem } = options;
  return {
    subscribe: (consumer, subscriber, signal) =>
      client.subscribe(
        { source: '', cluster_name: consumer, data_type: workDataType },
        {
          onEvent: (event) => subscriber.onEvent(event),
          onSubscribed: () => subscriber.onSubscribed(),
          ...(onProblem ? { onProblem } : {}),
        },
        signal,
      ),
    publish: (event) => client.publish(event),
    close: () => client.close(),
  };
}
