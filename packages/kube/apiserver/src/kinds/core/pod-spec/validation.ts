import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isDNS1123Label,
  isDNS1123Subdomain,
  validateAnnotations,
  validateLabels,
} from '@hypershift-ts/kube-apimachinery';
import { isIP } from 'node:net';
import type { Draft } from '../../behaviour.ts';
import { format, inRange, qualifiedName, required, supported, supportedOrMissing } from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, stringsOf, textOf } from '../../values.ts';
import { validateQuantity, validateRequirements } from '../resources/validation.ts';
import { validateContainers } from './container-validation.ts';
import { validateScheduling } from './scheduling-validation.ts';
import { validatePodSecurity } from './security-validation.ts';
import { validateVolumes } from './volume-validation.ts';

/** A pod spec, wherever it stands; `field` is its path. */
export function validatePodSpec(spec: Draft, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = validateVolumes(errors, spec, field);
  validateContainers(errors, spec, volumes, field);
  if (isSet(spec['resources'])) validateRequirements(errors, fieldsOf(spec['resources']), `${field}.resources`, spec);
  supportedOrMissing(errors, `${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']);
  supportedOrMissing(errors, `${field}.dnsPolicy`, spec['dnsPolicy'], [
    'ClusterFirstWithHostNet',
    'ClusterFirst',
    'Default',
    'None',
  ]);
  validatePodSecurity(errors, spec, field);
  validateScheduling(errors, spec, field);
  validateDns(errors, spec, field);
  listOf(spec['readinessGates']).forEach((gate, index) =>
    qualifiedName(errors, `${field}.readinessGates[${index}].conditionType`, gate['conditionType']),
  );
  for (const key of ['serviceAccountName', 'priorityClassName', 'runtimeClassName'])
    if (!isEmpty(spec[key])) format(errors, `${field}.${key}`, spec[key], isDNS1123Subdomain);
  for (const key of ['hostname', 'subdomain'])
    if (!isEmpty(spec[key])) format(errors, `${field}.${key}`, spec[key], isDNS1123Label);
  inRange(errors, `${field}.activeDeadlineSeconds`, spec['activeDeadlineSeconds'], 1, 2_147_483_647);
  supported(errors, `${field}.preemptionPolicy`, spec['preemptionPolicy'], ['Never', 'PreemptLowerPriority']);
  for (const name of Object.keys(fieldsOf(spec['overhead'])))
    validateQuantity(errors, name, fieldsOf(spec['overhead'])[name], `${field}.overhead[${name}]`);
  listOf(spec['hostAliases']).forEach((alias, index) => {
    const path = `${field}.hostAliases[${index}]`;
    if (isIP(textOf(alias['ip'])) === 0)
      errors.push(
        fieldError.invalid(
          `${path}.ip`,
          textOf(alias['ip']),
          'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ),
      );
    for (const name of stringsOf(alias['hostnames'])) format(errors, `${path}.hostnames`, name, isDNS1123Subdomain);
  });
  if (isSet(spec['os']))
    supportedOrMissing(errors, `${field}.os.name`, fieldsOf(spec['os'])['name'], ['linux', 'windows']);
  return errors;
}

const maxNameservers = 3;
const searchPathMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?(\\.[a-z0-9_]([-_a-z0-9]*[a-z0-9_])?)*')";
const maxSearches = 32;
const maxSearchChars = 2048;

function validateDns(errors: FieldError[], spec: Draft, field: string): void {
  const config = fieldsOf(spec['dnsConfig']);
  const path = `${field}.dnsConfig`;
  const servers = stringsOf(config['nameservers']);
  const searches = stringsOf(config['searches']);
  if (spec['dnsPolicy'] === 'None') {
    if (!isSet(spec['dnsConfig'])) {
      errors.push(fieldError.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    required(
      errors,
      `${path}.nameservers`,
      servers,
      'must provide at least one DNS nameserver when `dnsPolicy` is None',
    );
  }
  if (servers.length > maxNameservers)
    errors.push(
      fieldError.invalid(`${path}.nameservers`, servers, `must not have more than ${maxNameservers} nameservers`),
    );
  servers.forEach((server, index) => {
    if (isIP(server) === 0)
      errors.push(
        fieldError.invalid(
          `${path}.nameservers[${index}]`,
          server,
          'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ),
      );
  });
  searches.forEach((search, index) => {
    // A final dot makes the name absolute, a single one stands for the root; underscores are seen in the wild.
    const bare = search === '.' ? 'root' : search.replace(/\.$/, '').replaceAll('_', 'a');
    if (isDNS1123Subdomain(bare).length > 0)
      errors.push(fieldError.invalid(`${path}.searches[${index}]`, search, searchPathMessage));
  });
  if (searches.length > maxSearches)
    errors.push(
      fieldError.invalid(`${path}.searches`, searches, `must not have more than ${maxSearches} search paths`),
    );
  if (searches.join(' ').length > maxSearchChars)
    errors.push(
      fieldError.invalid(
        `${path}.searches`,
        searches,
        `must not have more than ${maxSearchChars} characters (including spaces) in the search list`,
      ),
    );
  listOf(config['options']).forEach((option, index) =>
    required(errors, `${path}.options[${index}]`, option['name'], 'must not be empty'),
  );
}

/** The template of a workload's pods. */
export function validatePodTemplate(template: Draft, field: string): FieldError[] {
  const metadata = fieldsOf(template['metadata']);
  const spec = fieldsOf(template['spec']);
  const errors = [
    ...validateLabels(fieldsOf(metadata['labels']), `${field}.labels`),
    ...validateAnnotations(fieldsOf(metadata['annotations']), `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`),
  ];
  if (listOf(spec['ephemeralContainers']).length > 0)
    errors.push(
      fieldError.forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'),
    );
  return errors;
}
