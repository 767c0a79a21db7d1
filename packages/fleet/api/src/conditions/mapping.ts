import { isJsonObject, type JsonValue } from '@hypershift-ts/kube-apimachinery';
import {
  type Bindings,
  CelCompileError,
  CostBudget,
  createEnvironment,
  declareFunction,
  DYN,
  type Environment,
  globalOverload,
  listType,
  type Program,
  STRING,
  toJson,
} from '@hypershift-ts/kube-cel';
import { ApiError } from '../errors/index.ts';
import type { Instant } from '../instant.ts';
import { type ConditionRule, type Entity, RegistryError } from '../registry/index.ts';
import { type AdapterStatus, presentResource, type Resource, type ResourceCondition } from '../resources/index.ts';
import { masked } from './masking.ts';

const costLimit = 10_000;
const maxReason = 256;
const maxMessage = 2048;
const maxJson = 1024 * 1024;

interface CompiledRule {
  readonly type: string;
  readonly when: Program;
  readonly status: Program;
  readonly reason: Program;
  readonly message: Program;
}

/** Computes the configured conditions of one kind; throws a 500 problem when an expression fails. */
export type ConditionMapper = (resource: Resource, reports: readonly AdapterStatus[]) => ResourceCondition[];

/** Compiles the condition mapping of a kind, or undefined when it has none. Throws `RegistryError`. */
export function conditionMapper(entity: Entity): ConditionMapper | undefined {
  const { kind, conditions = [] } = entity;
  if (conditions.length === 0) return undefined;
  const rules = conditions.map((rule) => compileRule(kind, rule)).sort((a, b) => (a.type < b.type ? -1 : 1));
  return (resource, reports) => {
    const bindings = { statuses: statusValues(reports), resource: masked(presentResource(resource)) };
    return rules.flatMap((rule) => evaluateRule(rule, resource, reports, bindings) ?? []);
  };
}

let shared: Environment | undefined;

function environment(): Environment {
  shared ??= createEnvironment({
    variables: { statuses: listType(DYN), resource: DYN },
    functions: [
      declareFunction('toJson', globalOverload('toJson_dyn', [DYN], STRING, jsonText)),
      declareFunction('dig', globalOverload('dig_dyn_string', [DYN, STRING], DYN, dig)),
    ],
    homogeneousLiterals: false,
  });
  return shared;
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(toJson(value as JsonValue));
  if (text.length > maxJson) throw new Error(`toJson: the text is longer than ${maxJson} characters`);
  return text;
}

/** Follows `a.b.0.c`; null when a step leads nowhere. */
function dig(target: unknown, path: string): unknown {
  let value = target;
  for (const step of path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? (value[Number(step)] as unknown) : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined || value === null) return null;
  }
  return value;
}

function compileRule(kind: string, { type, when, output }: ConditionRule): CompiledRule {
  const compile = (field: string, source: string): Program => {
    try {
      return environment().compile(source);
    } catch (cause) {
      if (!(cause instanceof CelCompileError)) throw cause;
      throw new RegistryError(`entity ${kind}: condition ${type}, ${field}: ${cause.message}`, { cause });
    }
  };
  return {
    type,
    when: compile('when', when.expression),
    status: compile('output.status', output.status.expression),
    reason: compile('output.reason', output.reason.expression),
    message: compile('output.message', output.message.expression),
  };
}

/** Reports as expressions see them. A condition that is not known yet is left out, so that `exists` waits for it. */
function statusValues(reports: readonly AdapterStatus[]): JsonValue[] {
  return reports.map(({ adapter, observed_generation, conditions, data }) => ({
    adapter,
    observed_generation,
    conditions: conditions
      .filter(({ status }) => status !== 'Unknown')
      .map(({ type, status, reason = '', message = '' }) => ({ type, status, reason, message })),
    data: masked(data ?? {}),
  }));
}

function evaluateRule(
  rule: CompiledRule,
  resource: Resource,
  reports: readonly AdapterStatus[],
  bindings: Bindings,
): ResourceCondition | undefined {
  const evaluate = (part: string, program: Program): JsonValue => {
    const result = program.evaluate(bindings, { budget: new CostBudget(costLimit) });
    if (!result.ok) throw mappingError(resource, rule, `${part}: ${result.error.message}`);
    return toJson(result.value);
  };
  const applies = evaluate('when', rule.when);
  if (typeof applies !== 'boolean') throw mappingError(resource, rule, 'when: the expression gives no bool');
  if (!applies) return undefined;
  const status = statusOf(textOf(evaluate('status', rule.status)));
  if (status === undefined) throw mappingError(resource, rule, 'status: must be True or False');
  const reason = textOf(evaluate('reason', rule.reason));
  if (Buffer.byteLength(reason) > maxReason) return undefined;
  const message = textOf(evaluate('message', rule.message)).slice(0, maxMessage);
  const previous = resource.conditions.find((condition) => condition.type === rule.type);
  const time = latest(resource, reports);
  return {
    type: rule.type,
    status,
    reason,
    message,
    observed_generation: resource.generation,
    created_time: previous?.created_time ?? time,
    last_updated_time: time,
    last_transition_time: previous?.status === status ? previous.last_transition_time : time,
  };
}

function mappingError(resource: Resource, rule: CompiledRule, problem: string): ApiError {
  return new ApiError('INT-001', `Condition mapping failed for ${resource.kind}.${rule.type}: ${problem}`);
}

/** The last moment anybody knew something new. */
function latest(resource: Resource, reports: readonly AdapterStatus[]): Instant {
  return reports.reduce(
    (time, report) => (report.last_report_time > time ? report.last_report_time : time),
    resource.updated_time,
  );
}

function textOf(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function statusOf(text: string): 'True' | 'False' | undefined {
  if (/^true$/i.test(text)) return 'True';
  return /^false$/i.test(text) ? 'False' : undefined;
}
