import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf, isSet, specOf, stringsOf, textOf } from '../values.ts';
import {
  validateIpAddress,
  validateIpAddressUpdate,
  validateServiceCidr,
  validateServiceCidrUpdate,
} from './other-validation.ts';

function parent(object: UnstructuredObject): string {
  const spec = specOf(object);
  if (!isSet(spec['parentRef'])) return '<none>';
  const reference = fieldsOf(spec['parentRef']);
  const group = textOf(reference['group']);
  const resource = textOf(reference['resource']);
  const parts = [(group === '' ? resource : `${resource}.${group}`).toLowerCase()];
  if (textOf(reference['namespace']) !== '') parts.push(reference['namespace']);
  parts.push(textOf(reference['name']));
  return parts.join('/');
}

/** An address a Service holds; its name is the address. */
export const ipAddress: KindBehaviour = {
  validate: validateIpAddress,
  validateUpdate: validateIpAddressUpdate,
  nameRule: 'none',
  unconditionalUpdate: true,
  columns: [nameColumn, text('ParentRef', 'What holds the address.'), ageColumn],
  cells: (object, now) => [nameOf(object), parent(object), ageOf(object, now)],
};

/** A range Service addresses are taken from. */
export const serviceCidr: KindBehaviour = {
  validate: validateServiceCidr,
  validateUpdate: validateServiceCidrUpdate,
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  status: {},
  unconditionalUpdate: true,
  columns: [nameColumn, text('CIDRs', 'Ranges addresses are taken from.'), ageColumn],
  cells: (object, now) => [nameOf(object), stringsOf(specOf(object)['cidrs']).join(','), ageOf(object, now)],
};
