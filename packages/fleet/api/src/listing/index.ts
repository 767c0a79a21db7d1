/** Lists: which page, in which order, which of it, and how much of each. */
export { orderSql, parseOrder } from './order.ts';
export { fieldList, listParams, type ListParams } from './params.ts';
export { checkFields, project } from './projection.ts';
