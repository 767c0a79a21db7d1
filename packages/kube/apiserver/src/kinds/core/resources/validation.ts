import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { notNegativeMessage } from '../../rules/checks.ts';
import { fieldsOf, listOf, textOf } from '../../values.ts';
import { compareQuantities, isQuantity, isWholeQuantity, quantityFault } from './compare.ts';
import { isHugePages, isIntegerResource, isOvercommitAllowed, validateContainerResourceName } from './names.ts';

/** A quantity that counts something: well formed, not negative, whole where only whole ones make sense. */
export function validateQuantity(errors: FieldError[], name: string, value: unknown, field: string): boolean {
  if (!isQuantity(value)) {
    errors.push(fieldError.invalid(field, value, quantityFault));
    return false;
  }
  if ((compareQuantities(value, '0') ?? 0) < 0) errors.push(fieldError.invalid(field, value, notNegativeMessage));
  if (isIntegerResource(name) && !isWholeQuantity(value))
    errors.push(fieldError.invalid(field, value, 'must be an integer'));
  return true;
}

type NameCheck = (errors: FieldError[], name: string, field: string) => void;

/** Limits and requests of a container; requests may not exceed limits. */
export function validateRequirements(
  errors: FieldError[],
  resources: Draft,
  field: string,
  podSpec: Draft,
  checkName: NameCheck = validateContainerResourceName,
): void {
  const limits = fieldsOf(resources['limits']);
  const requests = fieldsOf(resources['requests']);
  for (const name of Object.keys(limits)) {
    checkName(errors, name, `${field}.limits[${name}]`);
    validateQuantity(errors, name, limits[name], `${field}.limits[${name}]`);
  }
  for (const name of Object.keys(requests)) {
    checkName(errors, name, `${field}.requests[${name}]`);
    if (!validateQuantity(errors, name, requests[name], `${field}.requests[${name}]`)) continue;
    validateAgainstLimit(errors, name, requests[name], limits[name], field);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(fieldError.forbidden(field, 'HugePages require cpu or memory'));
  const claims = new Set(listOf(podSpec['resourceClaims']).map((claim) => claim['name']));
  listOf(resources['claims']).forEach((claim, index) => {
    const name = textOf(claim['name']);
    if (name === '') errors.push(fieldError.required(`${field}.claims[${index}]`));
    else if (!claims.has(name)) errors.push(fieldError.notFound(`${field}.claims[${index}]`, name));
  });
}

function validateAgainstLimit(
  errors: FieldError[],
  name: string,
  request: unknown,
  limit: string | undefined,
  field: string,
): void {
  if (limit === undefined) {
    if (!isOvercommitAllowed(name))
      errors.push(fieldError.required(`${field}.limits`, 'Limit must be set for non overcommitable resources'));
    return;
  }
  const order = compareQuantities(request, limit) ?? 0;
  const complain = (relation: string) =>
    errors.push(fieldError.invalid(`${field}.requests`, request, `must be ${relation} ${name} limit of ${limit}`));
  if (order !== 0 && !isOvercommitAllowed(name)) complain('equal to');
  else if (order > 0) complain('less than or equal to');
}
