/** The search language (TSL): text to tree, tree to SQL with parameters. */
export type { SearchNode } from './ast.ts';
export { orderColumn } from './fields.ts';
export { Parameters } from './parameters.ts';
export { maxSearchLength, parseSearch } from './parser.ts';
export { searchSql } from './sql.ts';
