import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf, isSet, listOf, specOf, statusOf, textOf } from '../values.ts';

function serviceText(object: UnstructuredObject): string {
  const spec = specOf(object);
  if (!isSet(spec['service'])) return 'Local';
  const service = fieldsOf(spec['service']);
  return `${textOf(service['namespace'])}/${textOf(service['name'])}`;
}

/** `True`, or `False (Reason)`. */
function availability(object: UnstructuredObject): string {
  const condition = listOf(statusOf(object)['conditions']).find((entry) => entry['type'] === 'Available');
  if (condition === undefined) return 'Unknown';
  return condition['status'] === 'True' ? 'True' : `${condition['status']} (${textOf(condition['reason'])})`;
}

const apiService: KindBehaviour = {
  defaults: (draft) => {
    const service = maybe(child(draft, 'spec'), 'service');
    if (service) setDefault(service, 'port', 443);
  },
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  status: {},
  columns: [
    nameColumn,
    text('Service', 'Service that serves the group version, or Local.'),
    text('Available', 'Whether it answers.'),
    ageColumn,
  ],
  cells: (object, now) => [nameOf(object), serviceText(object), availability(object), ageOf(object, now)],
};

export const apiRegistrationKinds: Readonly<Record<string, KindBehaviour>> = {
  'apiservices.apiregistration.k8s.io': apiService,
};
