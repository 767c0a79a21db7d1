/** Runs a configuration against files instead of clusters and APIs. */
import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import type { LoadedAdapter } from '../config/load.ts';
import type { EnvironmentVariables } from '@hypershift-ts/fleet-settings';
import type { LogLevel } from '../run/context.ts';
import { adapterEvent } from '../run/event.ts';
import { runTask } from '../run/run.ts';
import { ApiMock } from './api-mock.ts';
import { MemoryTransport, readOverrides } from './memory-transport.ts';
import type { Trace } from './trace.ts';
import { traceOf } from './trace.ts';

export { type Trace, traceText } from './trace.ts';

export interface DryRunInput {
  /** A structured CloudEvent. */
  readonly event: JsonValue;
  readonly apiResponses?: JsonValue | undefined;
  readonly discovery?: JsonValue | undefined;
  readonly verbose?: boolean;
  readonly env?: EnvironmentVariables;
  readonly log?: (level: LogLevel, message: string) => void;
}

/** Performs one event without touching anything; throws `TypeError` when the input files are wrong. */
export async function dryRun(adapter: LoadedAdapter, input: DryRunInput): Promise<Trace> {
  const { base_url: baseUrl, version } = adapter.config.clients.hyperfleet_api;
  const api = new ApiMock(input.apiResponses, { version, ...(baseUrl === undefined ? {} : { baseUrl }) });
  const transport = new MemoryTransport(readOverrides(input.discovery), adapter.texts.clock);
  const result = await runTask(adapter, adapterEvent(input.event), {
    api,
    transports: { kubernetes: transport, maestro: transport },
    ...(input.env ? { env: input.env } : {}),
    ...(input.log ? { log: input.log } : {}),
  });
  return traceOf(result, api.requests, transport.operations, input.verbose ?? false);
}
