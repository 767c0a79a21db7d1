import type { FieldError } from '../field-error.ts';
import { fieldError } from '../field-error.ts';
import { byteLength, isLabelValue, isQualifiedName } from './formats.ts';

/** Keys and values of `labels`; upstream reports both at the map itself. */
export function validateLabels(labels: { readonly [key: string]: string } | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    for (const message of isQualifiedName(key)) errors.push(fieldError.invalid(field, key, message));
    const value = labels[key] ?? '';
    for (const message of isLabelValue(value)) errors.push(fieldError.invalid(field, value, message));
  }
  return errors;
}

/** All annotations of an object together, keys and values, in bytes. */
export const totalAnnotationSizeLimit = 256 * 1024;

export function validateAnnotations(
  annotations: { readonly [key: string]: string } | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in annotations) {
    // The case of an annotation key does not matter, unlike that of a label key.
    for (const message of isQualifiedName(key.toLowerCase())) errors.push(fieldError.invalid(field, key, message));
    size += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (size > totalAnnotationSizeLimit) errors.push(fieldError.tooLong(field, totalAnnotationSizeLimit));
  return errors;
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** metav1.LabelSelector, as specs carry it. */
export interface LabelSelector {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

function validateRequirement(requirement: LabelSelectorRequirement, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(fieldError.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(
          fieldError.forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      }
      break;
    default:
      errors.push(fieldError.invalid(`${field}.operator`, requirement.operator, 'not a valid selector operator'));
  }
  for (const message of isQualifiedName(requirement.key)) {
    errors.push(fieldError.invalid(`${field}.key`, requirement.key, message));
  }
  values.forEach((value, index) => {
    for (const message of isLabelValue(value)) {
      errors.push(fieldError.invalid(`${field}.values[${index}]`, value, message));
    }
  });
  return errors;
}

/** The selectors of workloads, policies and the like, at validation time. */
export function validateLabelSelector(selector: LabelSelector | undefined, field: string): FieldError[] {
  if (!selector) return [];
  return [
    ...validateLabels(selector.matchLabels, `${field}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(requirement, `${field}.matchExpressions[${index}]`),
    ),
  ];
}
