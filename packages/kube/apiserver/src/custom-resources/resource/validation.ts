import {
  Correlated,
  type FieldError,
  fieldError,
  type FieldErrorType,
  type Schema,
  type UnstructuredObject,
  validateEmbedded,
  validateListTypes,
  validateValue,
  validateValueUpdate,
} from '@hypershift-ts/kube-apimachinery';
import type { Verdict } from '../../resource/resource.ts';
import type { Subresources } from '../definition/types.ts';
import { hasRules, validateRules } from '../rules/validate-rules.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { validateScale } from './scale.ts';

export interface ResourceValidation {
  readonly validateCreate: (object: UnstructuredObject) => Verdict;
  readonly validateUpdate: (object: UnstructuredObject, old: UnstructuredObject) => Verdict;
  readonly validateStatus: (object: UnstructuredObject, old: UnstructuredObject) => Verdict;
}

/** After these, rules could trip over values they were promised not to meet. */
const blocking = new Set<FieldErrorType>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const unchecked = fieldError.invalid(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** How objects of one version are judged: schema values, list types, then rules, in the order Kubernetes does it. */
export function resourceValidation(schema: Schema, subresources: Subresources | undefined): ResourceValidation {
  const scale = subresources?.scale;
  const statusSchema = schema.properties?.['status'];
  const isRuled = hasRules(schema);

  const finish = (errors: FieldError[], warnings: string[], rules: () => ReturnType<typeof validateRules>): Verdict => {
    if (!isRuled) return { errors, warnings };
    if (errors.some((error) => blocking.has(error.type))) return { errors: [...errors, unchecked], warnings };
    const verdict = rules();
    return { errors: [...errors, ...verdict.errors], warnings: [...warnings, ...verdict.warnings] };
  };

  return {
    validateCreate(object) {
      const errors = [
        ...validateValue(object, schema),
        ...(scale ? validateScale(object, scale, { spec: true }) : []),
        ...validateEmbedded(object, schema),
        ...validateListTypes(object, schema),
      ];
      return finish(errors, finalizerWarnings(object), () =>
        validateRules({ value: object, schema, isResource: true }),
      );
    },

    validateUpdate(object, old) {
      const correlated = new Correlated(object, old, schema);
      const errors = [
        ...validateValueUpdate(object, correlated, schema),
        ...(scale ? validateScale(object, scale, { spec: true }) : []),
        ...validateEmbedded(object, schema),
        ...newListTypeErrors(object, old, schema),
      ];
      return finish(errors, finalizerWarnings(object, old), () =>
        validateRules({ value: object, old, schema, isResource: true, correlated }),
      );
    },

    validateStatus(object, old) {
      const correlated = new Correlated(object, old, schema);
      const { status } = object;
      const errors = [
        ...(status !== undefined && statusSchema
          ? validateValueUpdate(status, correlated.key('status'), statusSchema, 'status')
          : []),
        ...(scale ? validateScale(object, scale, { spec: false }) : []),
        ...newListTypeErrors(object, old, schema),
      ];
      return finish(errors, [], () => validateRules({ value: object, old, schema, isResource: true, correlated }));
    },
  };
}

/** Duplicates refuse an update only when the old object had none at all. */
function newListTypeErrors(object: unknown, old: unknown, schema: Schema): FieldError[] {
  const errors = validateListTypes(object, schema);
  return errors.length > 0 && validateListTypes(old, schema).length === 0 ? errors : [];
}
