import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { textOf } from '../values.ts';

const runtimeClass: KindBehaviour = {
  createOnUpdate: true,
  columns: [nameColumn, text('Handler', 'Runtime handler its pods use.'), ageColumn],
  cells: (object, now) => [nameOf(object), textOf(object['handler']), ageOf(object, now)],
};

export const nodeKinds: Readonly<Record<string, KindBehaviour>> = {
  'runtimeclasses.node.k8s.io': runtimeClass,
};
