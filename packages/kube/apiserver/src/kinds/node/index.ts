import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { isDNS1123Label } from '@hypershift-ts/kube-apimachinery';
import { validateTolerations } from '../core/pod-spec/scheduling-validation.ts';
import { format, immutable, required } from '../rules/checks.ts';
import { fieldsOf, listOf, textOf } from '../values.ts';

const runtimeClass: KindBehaviour = {
  validate: (object) => {
    const errors: FieldError[] = [];
    if (required(errors, 'handler', object['handler'])) format(errors, 'handler', object['handler'], isDNS1123Label);
    validateTolerations(errors, listOf(fieldsOf(object['scheduling'])['tolerations']), 'scheduling.tolerations');
    return errors;
  },
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    immutable(errors, 'handler', object['handler'], old['handler']);
    return errors;
  },
  createOnUpdate: true,
  columns: [nameColumn, text('Handler', 'Runtime handler its pods use.'), ageColumn],
  cells: (object, now) => [nameOf(object), textOf(object['handler']), ageOf(object, now)],
};

export const nodeKinds: Readonly<Record<string, KindBehaviour>> = {
  'runtimeclasses.node.k8s.io': runtimeClass,
};
