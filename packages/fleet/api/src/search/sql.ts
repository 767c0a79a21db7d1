import { badRequest } from '../errors/index.ts';
import type { Comparison, Literal, SearchNode } from './ast.ts';
import { fieldOf, literalFor, type SearchField } from './fields.ts';
import type { Parameters } from './parameters.ts';

type Term = Exclude<SearchNode, { op: 'and' | 'or' | 'not' }>;
type ConditionColumn = Extract<SearchField, { kind: 'condition-time' | 'condition-number' }>;

/** The WHERE expression of a search over `resources r`. Values only ever become parameters. */
export function searchSql(node: SearchNode, parameters: Parameters): string {
  switch (node.op) {
    case 'and':
    case 'or':
      return `(${searchSql(node.left, parameters)} ${node.op} ${searchSql(node.right, parameters)})`;
    case 'not':
      refuseConditions(node.operand);
      // Unlike NOT, this is true for what has no value at all: `not labels.env='prod'` finds the unlabelled.
      return `((${searchSql(node.operand, parameters)}) is not true)`;
    default:
      return termSql(node, fieldOf(node.field), parameters);
  }
}

/** Nobody can say whether a missing condition fails a negation, so upstream refuses it and so do we. */
function refuseConditions(node: SearchNode): void {
  switch (node.op) {
    case 'not':
      return refuseConditions(node.operand);
    case 'and':
    case 'or':
      refuseConditions(node.left);
      return refuseConditions(node.right);
    default:
      if (node.field.startsWith('status.conditions.')) {
        throw badRequest(
          `'not' cannot be used with ${node.field}: search for the opposite value, as in status.conditions.Reconciled='False'`,
        );
      }
  }
}

function termSql(term: Term, field: SearchField, parameters: Parameters): string {
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'time':
      return plain(term, field.sql, field.kind, parameters);
    case 'label':
      return labelSql(term, field.key, parameters);
    case 'spec':
      return specSql(term, field.path, parameters);
    case 'condition':
      return statusSql(term, field.type, parameters);
    default:
      return conditionSql(term, field, parameters);
  }
}

function plain(term: Term, sql: string, type: 'text' | 'number' | 'time', parameters: Parameters): string {
  const literal = (value: Literal) => literalFor(term.field, type, value, parameters);
  switch (term.op) {
    case 'null':
      return `(${sql} is null)`;
    case 'in':
      return `(${sql} in (${term.values.map(literal).join(', ')}))`;
    case 'between':
      return `(${sql} between ${literal(term.low)} and ${literal(term.high)})`;
    default:
      if (type !== 'text' && isPattern(term.comparison))
        throw badRequest(`'${term.comparison}' cannot be used with ${term.field}`);
      if (isPattern(term.comparison) && endsInEscape.test(String(term.value.value)))
        throw badRequest(`the pattern for ${term.field} ends in a backslash that escapes nothing`);
      return `(${sql} ${sqlOf[term.comparison]} ${literal(term.value)})`;
  }
}

const sqlOf: Readonly<Record<Comparison, string>> = {
  '=': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  like: 'like',
  ilike: 'ilike',
};

const isPattern = (comparison: Comparison): boolean => comparison === 'like' || comparison === 'ilike';

/** An odd number of them; the database would fail on such a pattern, but only when it has a row to compare. */
const endsInEscape = /(?<!\\)(?:\\\\)*\\$/;

function labelSql(term: Term, key: string, parameters: Parameters): string {
  const labels = `resource_labels l where l.key = ${parameters.add(key)}`;
  const isEquality = term.op === 'in' || (term.op === 'compare' && term.comparison === '=');
  // Written so, the database may start from the few resources that carry the label.
  if (isEquality)
    return `(r.id in (select l.resource_id from ${labels} and ${plain(term, 'l.value', 'text', parameters)}))`;
  return plain(term, `(select l.value from ${labels} and l.resource_id = r.id)`, 'text', parameters);
}

function specSql(term: Term, path: readonly string[], parameters: Parameters): string {
  const text = `(r.spec #>> ${parameters.add([...path])}::text[])`;
  const kinds = new Set(literalsOf(term).map((literal) => literal.kind));
  if (kinds.size > 1) throw badRequest(`field '${term.field}' is compared with values of different kinds`);
  if (!kinds.has('number')) return plain(asText(term), text, 'text', parameters);
  // A cast of what is no number would fail the whole request.
  const number = `(case when ${text} ~ '^-?[0-9]+(\\.[0-9]+)?$' then ${text}::numeric end)`;
  return plain(term, number, 'number', parameters);
}

function literalsOf(term: Term): readonly Literal[] {
  if (term.op === 'null') return [];
  if (term.op === 'in') return term.values;
  return term.op === 'between' ? [term.low, term.high] : [term.value];
}

/** `spec.enabled = true` compares with the text JSON has for it. */
function asText(term: Term): Term {
  const text = (literal: Literal): Literal =>
    literal.kind === 'boolean' ? { kind: 'string', value: String(literal.value) } : literal;
  if (term.op === 'compare') return { ...term, value: text(term.value) };
  return term.op === 'in' ? { ...term, values: term.values.map(text) } : term;
}

const statuses = ['True', 'False', 'Unknown'];

function statusSql(term: Term, type: string, parameters: Parameters): string {
  if (term.op !== 'compare' || term.comparison !== '=') throw badRequest(`only '=' can be used with ${term.field}`);
  const status = term.value.kind === 'string' ? term.value.value : '';
  if (!statuses.includes(status))
    throw badRequest(`condition status '${term.value.value}' is invalid: must be one of True, False, Unknown`);
  // The status is one of three words, so it may stand in the text, where a partial index can match it.
  return `exists (select 1 from resource_conditions c where c.resource_id = r.id and c.type = ${parameters.add(type)} and c.status = '${status}')`;
}

function conditionSql(term: Term, field: ConditionColumn, parameters: Parameters): string {
  if (term.op !== 'compare' || isPattern(term.comparison))
    throw badRequest(`only comparisons (=, !=, <, <=, >, >=) can be used with ${term.field}`);
  const type = field.kind === 'condition-time' ? 'time' : 'number';
  const test = plain(term, `c.${field.column}`, type, parameters);
  return `exists (select 1 from resource_conditions c where c.resource_id = r.id and c.type = ${parameters.add(field.type)} and ${test})`;
}
