import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  cidrContainsCIDR,
  fieldError,
  isInRange,
  isPortName,
  isValidCIDR,
  parseCIDR,
  validateLabelSelector,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required, supported } from '../rules/checks.ts';
import { fieldsOf, isSet, listOf, specOf, stringsOf, textOf } from '../values.ts';

export function validateNetworkPolicy(policy: UnstructuredObject): readonly FieldError[] {
  const spec = specOf(policy);
  const errors = validateLabelSelector(fieldsOf(spec['podSelector']), 'spec.podSelector');
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    listOf(spec[direction]).forEach((rule, index) => {
      const field = `spec.${direction}[${index}]`;
      listOf(rule['ports']).forEach((port, at) => validatePort(errors, port, `${field}.ports[${at}]`));
      listOf(rule[peers]).forEach((peer, at) => validatePeer(errors, peer, `${field}.${peers}[${at}]`));
    });
  const types = stringsOf(spec['policyTypes']);
  if (types.length > 2)
    errors.push(fieldError.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'));
  else types.forEach((type, index) => supported(errors, `spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']));
  return errors;
}

function validatePort(errors: FieldError[], entry: Draft, field: string): void {
  supported(errors, `${field}.protocol`, entry['protocol'], ['TCP', 'UDP', 'SCTP']);
  const { port, endPort } = entry;
  const end = (detail: string) => errors.push(fieldError.invalid(`${field}.endPort`, endPort, detail));
  if (typeof port === 'number') {
    for (const message of isInRange(port, 1, 65535)) errors.push(fieldError.invalid(`${field}.port`, port, message));
    if (typeof endPort === 'number') {
      if (endPort < port) end('must be greater than or equal to `port`');
      for (const message of isInRange(endPort, 1, 65535)) end(message);
    }
  } else if (typeof port === 'string') {
    if (isSet(endPort)) end('may not be specified when `port` is non-numeric');
    format(errors, `${field}.port`, port, isPortName);
  } else if (isSet(endPort)) end('may not be specified when `port` is not specified');
}

function validatePeer(errors: FieldError[], peer: Draft, field: string): void {
  let given = 0;
  for (const selector of ['podSelector', 'namespaceSelector']) {
    if (!isSet(peer[selector])) continue;
    given++;
    errors.push(...validateLabelSelector(fieldsOf(peer[selector]), `${field}.${selector}`));
  }
  const block = isSet(peer['ipBlock']);
  if (block) validateBlock(errors, fieldsOf(peer['ipBlock']), `${field}.ipBlock`);
  if (given === 0 && !block) errors.push(fieldError.required(field, 'must specify a peer'));
  else if (given > 0 && block)
    errors.push(fieldError.forbidden(field, 'may not specify both ipBlock and another peer'));
}

function validateBlock(errors: FieldError[], block: Draft, field: string): void {
  const cidr = textOf(block['cidr']);
  if (!required(errors, `${field}.cidr`, cidr)) return;
  format(errors, `${field}.cidr`, cidr, isValidCIDR);
  const outer = parseCIDR(cidr);
  stringsOf(block['except']).forEach((text, index) => {
    const path = `${field}.except[${index}]`;
    format(errors, path, text, isValidCIDR);
    const inner = parseCIDR(text);
    if (outer && inner && (!cidrContainsCIDR(outer, inner) || inner.bits <= outer.bits))
      errors.push(fieldError.invalid(path, text, 'must be a strict subset of `cidr`'));
  });
}
