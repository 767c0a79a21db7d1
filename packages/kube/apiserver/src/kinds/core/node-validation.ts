import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isLabelValue } from '@hypershift-ts/kube-apimachinery';
import { qualifiedName, supportedOrMissing } from '../rules/checks.ts';
import { fieldsOf, isEmpty, listOf, specOf, statusOf, stringsOf, textOf } from '../values.ts';
import { validateQuantity } from './resources/validation.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

export function validateNode(node: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  listOf(specOf(node)['taints']).forEach((taint, index) => {
    const field = `spec.taints[${index}]`;
    qualifiedName(errors, `${field}.key`, taint['key']);
    const messages = isLabelValue(textOf(taint['value']));
    if (messages.length > 0)
      errors.push(fieldError.invalid(`${field}.value`, textOf(taint['value']), messages.join(';')));
    supportedOrMissing(errors, `${field}.effect`, taint['effect'], ['NoSchedule', 'PreferNoSchedule', 'NoExecute']);
    const key = `${textOf(taint['key'])}:${textOf(taint['effect'])}`;
    if (seen.has(key)) errors.push(fieldError.duplicate(field, taint));
    seen.add(key);
  });
  return [...errors, ...validateResources(node)];
}

function validateResources(node: UnstructuredObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ['capacity', 'allocatable'])
    for (const [name, value] of Object.entries(fieldsOf(statusOf(node)[list])))
      validateQuantity(errors, name, value, `status.${list}[${name}]`);
  return errors;
}

/** What was handed out for a node's lifetime does not change while it lives. */
export function validateNodeUpdate(node: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(node);
  const before = specOf(old);
  const addresses = new Set<string>();
  listOf(statusOf(node)['addresses']).forEach((address, index) => {
    const key = JSON.stringify(address);
    if (addresses.has(key)) errors.push(fieldError.duplicate(`status.addresses[${index}]`, address));
    addresses.add(key);
  });
  const ranges = (from: Record<string, unknown>) => {
    const list = stringsOf(from['podCIDRs']);
    return list.length > 0 || isEmpty(from['podCIDR']) ? list : [textOf(from['podCIDR'])];
  };
  if (ranges(before).length > 0 && !semanticEqual(ranges(spec), ranges(before)))
    errors.push(fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  if (!isEmpty(before['providerID']) && spec['providerID'] !== before['providerID'])
    errors.push(
      fieldError.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  return errors;
}

export function validateNodeStatus(node: UnstructuredObject): readonly FieldError[] {
  return validateResources(node);
}
