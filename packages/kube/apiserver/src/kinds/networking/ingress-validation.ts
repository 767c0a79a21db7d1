import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isDNS1123Label,
  isDNS1123Subdomain,
  isInRange,
  isPortName,
  isWildcardDNS1123Subdomain,
  parseIP,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, specOf, stringsOf, textOf } from '../values.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

export function validateIngress(ingress: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(ingress);
  const rules = listOf(spec['rules']);
  if (rules.length === 0 && !isSet(spec['defaultBackend']))
    errors.push(fieldError.invalid('spec', null, 'either `defaultBackend` or `rules` must be specified'));
  if (isSet(spec['defaultBackend'])) validateBackend(errors, fieldsOf(spec['defaultBackend']), 'spec.defaultBackend');
  rules.forEach((rule, index) => validateRule(errors, rule, `spec.rules[${index}]`));
  listOf(spec['tls']).forEach((entry, index) => {
    const field = `spec.tls[${index}]`;
    stringsOf(entry['hosts']).forEach((host, at) => validateHost(errors, host, `${field}.hosts[${at}]`));
    if (!isEmpty(entry['secretName'])) format(errors, `${field}.secretName`, entry['secretName'], isDNS1123Subdomain);
  });
  if (isSet(spec['ingressClassName'])) {
    format(errors, 'spec.ingressClassName', spec['ingressClassName'], isDNS1123Subdomain);
    const annotated = ingress.metadata.annotations?.[classAnnotation];
    if (annotated !== undefined && annotated !== spec['ingressClassName'])
      errors.push(
        fieldError.invalid(
          `annotations.${classAnnotation}`,
          annotated,
          'must match `ingressClassName` when both are specified',
        ),
      );
  }
  return errors;
}

function validateHost(errors: FieldError[], host: string, field: string): void {
  format(errors, field, host, host.includes('*') ? isWildcardDNS1123Subdomain : isDNS1123Subdomain);
}

function validateRule(errors: FieldError[], rule: Draft, field: string): void {
  const host = textOf(rule['host']);
  if (host !== '') {
    if (parseIP(host) !== undefined)
      errors.push(fieldError.invalid(`${field}.host`, host, 'must be a DNS name, not an IP address'));
    validateHost(errors, host, `${field}.host`);
  }
  if (!isSet(rule['http'])) return;
  const paths = listOf(fieldsOf(rule['http'])['paths']);
  if (paths.length === 0) errors.push(fieldError.required(`${field}.http.paths`));
  paths.forEach((path, index) => validatePath(errors, path, `${field}.http.paths[${index}]`));
}

const badSequences = ['//', '/./', '/../', '%2f', '%2F'] as const;
const badSuffixes = ['/..', '/.'] as const;

function validatePath(errors: FieldError[], entry: Draft, field: string): void {
  const path = textOf(entry['path']);
  const type = textOf(entry['pathType']);
  const invalid = (detail: string) => errors.push(fieldError.invalid(`${field}.path`, path, detail));
  if (type === '') {
    errors.push(fieldError.required(`${field}.pathType`, 'pathType must be specified'));
    return;
  }
  if (type === 'Exact' || type === 'Prefix') {
    if (!path.startsWith('/')) invalid('must be an absolute path');
    else {
      for (const sequence of badSequences) if (path.includes(sequence)) invalid(`must not contain '${sequence}'`);
      for (const suffix of badSuffixes) if (path.endsWith(suffix)) invalid(`cannot end with '${suffix}'`);
    }
  } else if (type === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) invalid('must be an absolute path');
  } else errors.push(fieldError.notSupported(`${field}.pathType`, type, ['Exact', 'ImplementationSpecific', 'Prefix']));
  validateBackend(errors, fieldsOf(entry['backend']), `${field}.backend`);
}

function validateBackend(errors: FieldError[], backend: Draft, field: string): void {
  const hasService = isSet(backend['service']);
  if (isSet(backend['resource'])) {
    if (hasService) {
      errors.push(fieldError.invalid(field, '', 'cannot set both resource and service backends'));
      return;
    }
    const resource = fieldsOf(backend['resource']);
    required(errors, `${field}.resource.kind`, resource['kind']);
    required(errors, `${field}.resource.name`, resource['name']);
    return;
  }
  if (!hasService) {
    errors.push(fieldError.invalid(field, '', 'resource or service backend is required'));
    return;
  }
  const service = fieldsOf(backend['service']);
  if (required(errors, `${field}.service.name`, service['name']))
    format(errors, `${field}.service.name`, service['name'], isDNS1123Label);
  const port = fieldsOf(service['port']);
  const name = textOf(port['name']);
  const number = numberOf(port['number']);
  if (name !== '' && number !== 0)
    errors.push(fieldError.invalid(field, '', 'cannot set both port name & port number'));
  else if (name !== '') format(errors, `${field}.service.port.name`, name, isPortName);
  else if (number !== 0)
    for (const message of isInRange(number, 1, 65535))
      errors.push(fieldError.invalid(`${field}.service.port.number`, number, message));
  else errors.push(fieldError.required(field, 'port name or number is required'));
}
