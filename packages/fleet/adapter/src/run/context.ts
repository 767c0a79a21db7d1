import type { Clock, JsonObject, JsonValue, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { decodeJson, errorMessage, isJsonObject, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import type { Bindings, CelValue } from '@hypershift-ts/kube-cel';
import type { ApiClient, ApiRequest } from '../api-client/client.ts';
import type { LoadedAdapter } from '../config/load.ts';
import type { EnvironmentVariables } from '@hypershift-ts/fleet-settings';
import type { ApiCallConfig, LogConfig } from '../config/task-config.ts';
import { withDoubles } from '../expression/index.ts';
import type { Transport } from '../transport/transport.ts';
import type { AdapterEvent } from './event.ts';
import { PermanentError } from './failure.ts';
import { ParamTable } from './param-table.ts';
import { redacted } from './redact.ts';
import { AdapterState } from './state.ts';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** What a run needs from outside. */
export interface RunDependencies {
  readonly api: ApiClient;
  /** Chosen per resource. */
  readonly transports: { readonly kubernetes?: Transport; readonly maestro?: Transport };
  readonly env?: EnvironmentVariables;
  readonly log?: (level: LogLevel, message: string, fields?: JsonObject) => void;
  readonly signal?: AbortSignal;
}

/** Everything that one run knows and finds out. */
export class RunContext {
  readonly adapter: LoadedAdapter;
  readonly event: AdapterEvent;
  readonly dependencies: RunDependencies;
  readonly params = new ParamTable();
  readonly state = new AdapterState();
  /** Objects found so far, by the names that expressions use. */
  readonly resources = new Map<string, UnstructuredObject>();
  private readonly env: EnvironmentVariables;
  private readonly shownConfig: JsonObject;
  private readonly eventForCel: CelValue;

  constructor(adapter: LoadedAdapter, event: AdapterEvent, dependencies: RunDependencies) {
    this.adapter = adapter;
    this.event = event;
    this.dependencies = dependencies;
    this.env = dependencies.env ?? process.env;
    this.shownConfig = redacted(adapter.config as unknown as JsonObject) as JsonObject;
    this.eventForCel = withDoubles(event.data);
  }

  get clock(): Clock {
    return this.adapter.texts.clock;
  }

  get signal(): AbortSignal | undefined {
    return this.dependencies.signal;
  }

  environment(name: string): string | undefined {
    return this.env[name];
  }

  log(level: LogLevel, message: string, fields?: JsonObject): void {
    this.dependencies.log?.(level, message, fields);
  }

  /** What templates see: parameters, and the roots that always exist. */
  templateData(): JsonObject {
    const { name, version = '' } = this.adapter.config.adapter;
    return {
      ...this.params.json(),
      adapter: { name, version },
      metadata: { name },
      config: this.shownConfig,
      env: this.env,
      event: this.event.data,
    };
  }

  render(source: string): string {
    const template = this.adapter.texts.template(source);
    return template.isPlain ? source : template.render(this.templateData(), this.clock);
  }

  /** What expressions see; `extra` hides parameters of the same name. */
  bindings(extra: Readonly<Record<string, CelValue>> = {}): Bindings {
    return {
      env: definedOf(this.env),
      config: this.shownConfig,
      event: this.eventForCel,
      ...this.params.cel(),
      adapter: this.state.view(this.adapter.config.adapter),
      resources: Object.fromEntries(this.resources),
      ...extra,
    };
  }

  /** Evaluates a condition that must be decidable; throws when it is not. */
  test(source: string, what: string): boolean {
    const answer = this.adapter.texts.expression(source).test(this.bindings());
    if (typeof answer === 'boolean') return answer;
    throw new PermanentError(`${what} ${JSON.stringify(source.trim())} failed: ${answer.message}`);
  }

  /** Calls an API and returns the text of the answer. */
  async call(call: ApiCallConfig): Promise<string> {
    const timeoutMs = parseGoDuration(call.timeout);
    const request: ApiRequest = {
      method: call.method,
      url: this.render(call.url),
      ...(call.headers
        ? {
            headers: Object.fromEntries(call.headers.map(({ name, value }) => [this.render(name), this.render(value)])),
          }
        : {}),
      ...(call.body === undefined ? {} : { body: this.render(call.body) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(call.retry_attempts === undefined ? {} : { attempts: call.retry_attempts }),
      ...(call.retry_backoff === undefined ? {} : { backoff: call.retry_backoff }),
    };
    return (await this.dependencies.api.call(request, this.signal)).body;
  }

  /** Calls an API whose answer is a JSON object. */
  async fetchObject(call: ApiCallConfig): Promise<JsonObject> {
    const text = await this.call(call);
    let value: JsonValue;
    try {
      ({ value } = decodeJson(text, { maxLength: 16 * 1024 * 1024 }));
    } catch (error) {
      throw new PermanentError(
        `the answer of ${call.method} ${this.render(call.url)} is not JSON: ${errorMessage(error)}`,
      );
    }
    if (!isJsonObject(value))
      throw new PermanentError(`the answer of ${call.method} ${this.render(call.url)} is no object`);
    return value;
  }

  /** Writes the line that a step asks for; a line that cannot be rendered must not stop the step. */
  logAction(log: LogConfig | undefined): void {
    if (!log) return;
    try {
      this.log(log.level ?? 'info', this.render(log.message));
    } catch (error) {
      this.log('warning', `a log message cannot be rendered: ${errorMessage(error)}`);
    }
  }
}

function definedOf(env: EnvironmentVariables): JsonObject {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
