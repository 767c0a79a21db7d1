import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Label, parseIP } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, portNumber, supportedOrMissing } from '../rules/checks.ts';
import { isEmpty, listOf, textOf } from '../values.ts';

export function validateEndpoints(endpoints: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  listOf(endpoints['subsets']).forEach((subset, index) => {
    const field = `subsets[${index}]`;
    if (isEmpty(subset['addresses']) && isEmpty(subset['notReadyAddresses']))
      errors.push(fieldError.required(field, 'must specify `addresses` or `notReadyAddresses`'));
    for (const list of ['addresses', 'notReadyAddresses'])
      listOf(subset[list]).forEach((address, at) => validateAddress(errors, address, `${field}.${list}[${at}]`));
    const ports = listOf(subset['ports']);
    ports.forEach((port, at) => {
      const path = `${field}.ports[${at}]`;
      if (ports.length > 1 && isEmpty(port['name'])) errors.push(fieldError.required(`${path}.name`));
      else if (!isEmpty(port['name'])) format(errors, `${path}.name`, port['name'], isDNS1123Label);
      portNumber(errors, `${path}.port`, port['port']);
      supportedOrMissing(errors, `${path}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']);
    });
  });
  return errors;
}

/**
 * Unlike upstream, loopback addresses pass: pods of an embedded cluster are reached on loopback.
 */
function validateAddress(errors: FieldError[], address: Draft, field: string): void {
  const ip = textOf(address['ip']);
  if (parseIP(ip) === undefined) errors.push(fieldError.invalid(`${field}.ip`, ip, 'must be a valid IP address'));
  else if (ip === '0.0.0.0' || ip === '::')
    errors.push(fieldError.invalid(`${field}.ip`, ip, `may not be unspecified (${ip})`));
  if (!isEmpty(address['hostname'])) format(errors, `${field}.hostname`, address['hostname'], isDNS1123Label);
}
