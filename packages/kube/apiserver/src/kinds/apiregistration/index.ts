import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1035Label, isDNS1123Subdomain } from '@hypershift-ts/kube-apimachinery';
import { format, portNumber, required } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, specOf, statusOf, textOf } from '../values.ts';

function validateApiService(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object);
  const group = textOf(spec['group']);
  const version = textOf(spec['version']);
  const name = `${version}.${group}`;
  if (nameOf(object) !== name)
    errors.push(
      fieldError.invalid('metadata.name', nameOf(object), `must be \`spec.version+"."+spec.group\`: "${name}"`),
    );
  if (group !== '') format(errors, 'spec.group', group, isDNS1123Subdomain);
  else if (version !== 'v1')
    errors.push(fieldError.required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  format(errors, 'spec.version', version, isDNS1035Label);
  const invalid = (field: string, value: unknown, detail: string) =>
    errors.push(fieldError.invalid(`spec.${field}`, value, detail));
  const minimum = numberOf(spec['groupPriorityMinimum']);
  const priority = numberOf(spec['versionPriority']);
  if (minimum <= 0 || minimum > 20_000)
    invalid('groupPriorityMinimum', minimum, 'must be positive and less than 20000');
  if (priority <= 0 || priority > 1000) invalid('versionPriority', priority, 'must be positive and less than 1000');
  const insecure = spec['insecureSkipTLSVerify'] === true;
  if (!isSet(spec['service'])) {
    if (!isEmpty(spec['caBundle'])) invalid('caBundle', '<omitted>', 'local APIServices may not have a caBundle');
    if (insecure) invalid('insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify');
    return errors;
  }
  const service = fieldsOf(spec['service']);
  for (const key of ['namespace', 'name']) required(errors, `spec.service.${key}`, service[key]);
  portNumber(errors, 'spec.service.port', service['port']);
  if (insecure && !isEmpty(spec['caBundle']))
    invalid('insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
  return errors;
}

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
  validate: validateApiService,
  nameRule: 'path',
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
