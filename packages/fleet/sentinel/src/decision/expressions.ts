import type { Clock, JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { errorMessage, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Program } from '@hypershift-ts/kube-cel';
import {
  createEnvironment,
  declareFunction,
  DYN,
  globalOverload,
  STRING,
  TIMESTAMP,
  toJson,
} from '@hypershift-ts/kube-cel';
import type { ConfigProblem } from '@hypershift-ts/fleet-settings';
import { ConfigError } from '@hypershift-ts/fleet-settings';
import type { DecisionConfig } from '../config/sentinel-config.ts';
import type { ConditionView } from './condition.ts';
import { conditionView } from './condition.ts';

export type Decision =
  | { readonly publish: true; readonly reason: string }
  | { readonly publish: false; readonly reason: string; readonly error?: string };

const MATCHED = 'message decision matched';
const NOT_MATCHED = 'message decision result is false';

type Leaf =
  | { readonly program: Program }
  | { readonly literal: JsonValue }
  | { readonly fields: readonly [string, Leaf][] };

/** How `condition(name)` is answered for one resource. */
export type ConditionLookup = (resource: JsonObject, name: string) => ConditionView;

/** The expressions of one Sentinel: whether to publish, and what. */
export class SentinelExpressions {
  private readonly clock: Clock;
  private readonly params: readonly { readonly name: string; readonly program: Program }[];
  private readonly result: Program;
  private readonly data: Leaf;
  /** What `condition` speaks about: evaluation is synchronous, so there is one resource at a time. */
  private current: { readonly resource: JsonObject; readonly lookup: ConditionLookup } = {
    resource: {},
    lookup: conditionView,
  };

  /** Throws `ConfigError` with every expression that does not compile. */
  constructor(decision: DecisionConfig, data: JsonObject, clock: Clock, file = 'configuration') {
    this.clock = clock;
    const problems: ConfigProblem[] = [];
    const compile = (source: string, path: string, names: readonly string[]): Program => {
      try {
        return this.environment(names).compile(source);
      } catch (error) {
        problems.push({ file, path, message: `not a CEL expression: ${errorMessage(error)}` });
        return this.environment([]).compile('false');
      }
    };
    const names: string[] = [];
    this.params = decision.params.map(({ name, expr }, i) => {
      const program = compile(expr, `message_decision.params[${i}].expr`, [...names]);
      names.push(name);
      return { name, program };
    });
    this.result = compile(decision.result, 'message_decision.result', names);
    this.data = leafOf(data, 'message_data', (source, path) => compile(source, path, ['reason']));
    if (problems.length > 0) throw new ConfigError(problems);
  }

  /** Whether an event is due. An expression that fails means no, since nothing can be said. */
  decide(resource: JsonObject, lookup: ConditionLookup = conditionView): Decision {
    this.current = { resource, lookup };
    const bindings: Record<string, unknown> = { resource, now: this.now() };
    for (const { name, program } of this.params) {
      const value = program.evaluate(bindings);
      if (!value.ok) return { publish: false, reason: NOT_MATCHED, error: `${name}: ${value.error.message}` };
      bindings[name] = value.value;
    }
    const answer = this.result.test(bindings);
    if (answer === true) return { publish: true, reason: MATCHED };
    return { publish: false, reason: NOT_MATCHED, ...(answer === false ? {} : { error: `result: ${answer.message}` }) };
  }

  /** The data of the event; a value that cannot be told is left out and reported. */
  message(resource: JsonObject, reason: string, onMissing: (path: string, why: string) => void): JsonObject {
    this.current = { resource, lookup: conditionView };
    return this.build(this.data, { resource, reason, now: this.now() }, '', onMissing) as JsonObject;
  }

  private build(
    leaf: Leaf,
    bindings: Readonly<Record<string, unknown>>,
    path: string,
    onMissing: (path: string, why: string) => void,
  ): JsonValue | undefined {
    if ('literal' in leaf) return leaf.literal;
    if ('program' in leaf) {
      const value = leaf.program.evaluate(bindings);
      if (value.ok) return toJson(value.value);
      onMissing(path, value.error.message);
      return undefined;
    }
    const entries = leaf.fields.map(
      ([key, inner]) => [key, this.build(inner, bindings, path === '' ? key : `${path}.${key}`, onMissing)] as const,
    );
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  private now(): string {
    return new Date(this.clock.now()).toISOString();
  }

  /** Types are checked, so that a misspelt name is found when the configuration is loaded. */
  private environment(names: readonly string[]) {
    return createEnvironment({
      variables: { resource: DYN, now: TIMESTAMP, ...Object.fromEntries(names.map((name) => [name, DYN])) },
      homogeneousLiterals: false,
      extensions: ['string-reverse'],
      functions: [
        declareFunction(
          'condition',
          globalOverload('condition_string', [STRING], DYN, (name: string) =>
            this.current.lookup(this.current.resource, name),
          ),
        ),
      ],
    });
  }
}

function leafOf(value: JsonValue, path: string, compile: (source: string, path: string) => Program): Leaf {
  if (typeof value === 'string') return { program: compile(value, path) };
  if (!isJsonObject(value)) return { literal: value };
  return {
    fields: Object.entries(value).map(([key, item]) => [key, leafOf(item ?? null, `${path}.${key}`, compile)]),
  };
}
