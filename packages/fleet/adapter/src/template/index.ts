/** Go's text/template, the part that adapter configurations use. */
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Node } from './ast.ts';
import { execute } from './evaluate.ts';
import type { TemplateFunction } from './functions.ts';
import { FUNCTION_NAMES, templateFunctions } from './functions.ts';
import { parse } from './parser.ts';
import type { RootReference } from './variables.ts';
import { rootReferences } from './variables.ts';

export { TemplateError, TemplateLimit } from './error.ts';
export type { RootReference } from './variables.ts';

const functionsByClock = new WeakMap<Clock, ReadonlyMap<string, TemplateFunction>>();

function functionsOf(clock: Clock): ReadonlyMap<string, TemplateFunction> {
  let functions = functionsByClock.get(clock);
  if (!functions) functionsByClock.set(clock, (functions = templateFunctions(() => clock.now())));
  return functions;
}

/** A parsed template. Immutable, so one serves any number of executions. */
export class Template {
  readonly name: string;
  readonly source: string;
  private readonly nodes: readonly Node[] | undefined;

  /** Parses; throws `TemplateError`. `name` appears in messages. */
  constructor(source: string, name = 'template') {
    this.name = name;
    this.source = source;
    this.nodes = source.includes('{{') ? parse(source, { name, functions: FUNCTION_NAMES }) : undefined;
  }

  /** Whether there is anything to execute. */
  get isPlain(): boolean {
    return this.nodes === undefined;
  }

  /** Executes on plain JSON data; throws `TemplateError`. */
  render(data: Readonly<Record<string, unknown>>, clock: Clock = systemClock): string {
    if (!this.nodes) return this.source;
    return execute(this.nodes, { name: this.name, source: this.source, data, functions: functionsOf(clock) });
  }

  /** The top-level names of the data that the template mentions. */
  references(): readonly RootReference[] {
    return this.nodes ? rootReferences(this.nodes) : [];
  }
}
