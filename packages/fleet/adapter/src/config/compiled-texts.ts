import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { compileExpression, type Expression } from '../expression/index.ts';
import { Template } from '../template/index.ts';

/** Templates and expressions of one configuration, each compiled once and shared by all runs. */
export class CompiledTexts {
  readonly clock: Clock;
  private readonly templates = new Map<string, Template>();
  private readonly expressions = new Map<string, Expression>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Throws `TemplateError` when it does not parse. */
  template(source: string): Template {
    let template = this.templates.get(source);
    if (!template) this.templates.set(source, (template = new Template(source)));
    return template;
  }

  /** Throws `CelCompileError` when it does not compile. */
  expression(source: string): Expression {
    let expression = this.expressions.get(source);
    if (!expression) this.expressions.set(source, (expression = compileExpression(source, this.clock)));
    return expression;
  }
}
