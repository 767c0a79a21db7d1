/** The HyperFleet adapter framework: one program whose behaviour is two configuration files. */
export { type RootReference, Template, TemplateError, TemplateLimit } from './template/index.ts';
export { compileExpression, type Evaluated, Expression, withDoubles } from './expression/index.ts';
