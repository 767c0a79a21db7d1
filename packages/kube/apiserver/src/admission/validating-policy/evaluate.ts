import { type Bindings, CostBudget } from '@hypershift-ts/kube-cel';
import { meetsConditions, outOfBudget } from '../expressions/match-conditions.ts';
import { withVariables } from '../expressions/variables.ts';
import type { CompiledPolicy, CompiledValidation } from './compile.ts';

/** One reason to refuse a request (or to warn about it). */
export interface Finding {
  readonly message: string;
  readonly reason: string;
  /** Which validation; for errors before any of them, the first. */
  readonly index: number;
}

export interface PolicyOutcome {
  readonly findings: readonly Finding[];
  readonly auditAnnotations: readonly { readonly key: string; readonly value: string }[];
}

const maxMessageBytes = 5 * 1024;
const maxAuditValueBytes = 10 * 1024;
const nothing: PolicyOutcome = { findings: [], auditAnnotations: [] };

/** Evaluates a policy on one request with one param. Errors count as the failure policy says. */
export function evaluatePolicy(policy: CompiledPolicy, bindings: Bindings): PolicyOutcome {
  const ignoresErrors = policy.spec.failurePolicy === 'Ignore';
  const failure = (message: string, index: number): Finding[] =>
    ignoresErrors ? [] : [{ message, reason: 'Invalid', index }];
  const meets = meetsConditions(policy.conditions, bindings);
  if (meets === false) return nothing;
  if (meets !== true) return { findings: failure(meets.error, 0), auditAnnotations: [] };

  const budget = new CostBudget();
  const full = withVariables(bindings, policy.variables, budget);
  const findings: Finding[] = [];
  for (const [index, validation] of policy.validations.entries()) {
    const verdict = evaluateValidation(validation, full, budget);
    if (budget.exhausted) return { findings: failure(outOfBudget, 0), auditAnnotations: [] };
    if (verdict === true) continue;
    if (verdict !== false) findings.push(...failure(verdict.error, index));
    else
      findings.push({
        message: messageOf(validation, full, budget),
        reason: validation.reason ?? 'Invalid',
        index,
      });
  }
  return { findings, auditAnnotations: annotationsOf(policy, full, budget, findings, failure) };
}

function evaluateValidation(
  { compiled, expression }: CompiledValidation,
  bindings: Bindings,
  budget: CostBudget,
): boolean | { readonly error: string } {
  if (compiled.program === undefined) return { error: `compilation error: ${compiled.error}` };
  const result = compiled.program.evaluate(bindings);
  budget.spend(result.cost);
  return result.ok
    ? result.value === true
    : { error: `expression '${expression}' resulted in error: ${result.error.message}` };
}

/** messageExpression when it gives a usable line, else message, else the expression itself. */
function messageOf(validation: CompiledValidation, bindings: Bindings, budget: CostBudget): string {
  const program = validation.messageCompiled?.program;
  if (program) {
    const result = program.evaluate(bindings);
    budget.spend(result.cost);
    if (budget.exhausted) return `failed messageExpression: ${outOfBudget}`;
    const text = result.ok && typeof result.value === 'string' ? result.value.trim() : '';
    if (text !== '' && Buffer.byteLength(text) <= maxMessageBytes && !text.includes('\n')) return text;
  }
  return validation.message?.trim() || `failed expression: ${validation.expression.trim()}`;
}

function annotationsOf(
  { auditAnnotations }: CompiledPolicy,
  bindings: Bindings,
  budget: CostBudget,
  findings: Finding[],
  failure: (message: string, index: number) => Finding[],
): PolicyOutcome['auditAnnotations'] {
  const annotations: { key: string; value: string }[] = [];
  for (const { key, source, compiled } of auditAnnotations) {
    if (compiled.program === undefined) {
      findings.push(...failure(`compilation error: ${compiled.error}`, 0));
      continue;
    }
    const result = compiled.program.evaluate(bindings);
    budget.spend(result.cost);
    if (budget.exhausted) findings.push(...failure(outOfBudget, 0));
    else if (!result.ok)
      findings.push(...failure(`expression '${source}' resulted in error: ${result.error.message}`, 0));
    else if (typeof result.value === 'string' && result.value.trim() !== '')
      annotations.push({ key, value: truncated(result.value.trim()) });
  }
  return annotations;
}

function truncated(value: string): string {
  return Buffer.byteLength(value) <= maxAuditValueBytes
    ? value
    : Buffer.from(value).subarray(0, maxAuditValueBytes).toString();
}
