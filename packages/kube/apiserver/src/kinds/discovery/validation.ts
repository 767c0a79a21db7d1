import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Label, isDNS1123Subdomain, parseIP } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, immutable, supportedOrMissing } from '../rules/checks.ts';
import { isEmpty, isSet, listOf, stringsOf, textOf } from '../values.ts';

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;

export function validateSlice(slice: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = textOf(slice['addressType']);
  supportedOrMissing(errors, 'addressType', type, ['FQDN', 'IPv4', 'IPv6']);
  const endpoints = listOf(slice['endpoints']);
  if (endpoints.length > maxEndpoints) errors.push(fieldError.tooMany('endpoints', endpoints.length, maxEndpoints));
  else endpoints.forEach((endpoint, index) => validateEndpoint(errors, endpoint, type, `endpoints[${index}]`));
  const ports = listOf(slice['ports']);
  if (ports.length > maxPorts) errors.push(fieldError.tooMany('ports', ports.length, maxPorts));
  else validatePorts(errors, ports);
  return errors;
}

function validateEndpoint(errors: FieldError[], endpoint: Draft, type: string, field: string): void {
  const addresses = stringsOf(endpoint['addresses']);
  if (addresses.length === 0) errors.push(fieldError.required(`${field}.addresses`, 'must contain at least 1 address'));
  if (addresses.length > maxAddresses)
    errors.push(fieldError.tooMany(`${field}.addresses`, addresses.length, maxAddresses));
  addresses.slice(0, maxAddresses).forEach((address, index) => {
    const path = `${field}.addresses[${index}]`;
    if (type === 'FQDN') format(errors, path, address, isDNS1123Subdomain);
    else if (type === 'IPv4' || type === 'IPv6') validateEndpointIp(errors, address, type, path);
  });
  if (isSet(endpoint['nodeName'])) format(errors, `${field}.nodeName`, endpoint['nodeName'], isDNS1123Subdomain);
  if (!isEmpty(endpoint['hostname'])) format(errors, `${field}.hostname`, endpoint['hostname'], isDNS1123Label);
}

function validateEndpointIp(errors: FieldError[], address: string, type: 'IPv4' | 'IPv6', field: string): void {
  const ip = parseIP(address);
  if (ip === undefined || `IPv${ip.family}` !== type)
    errors.push(fieldError.invalid(field, address, `must be an ${type} address`));
}

function validatePorts(errors: FieldError[], ports: readonly Draft[]): void {
  const names = new Set<string>();
  ports.forEach((port, index) => {
    const field = `ports[${index}]`;
    const name = textOf(port['name']);
    if (name !== '') format(errors, `${field}.name`, name, isDNS1123Label);
    if (names.has(name)) errors.push(fieldError.duplicate(`${field}.name`, name));
    names.add(name);
    supportedOrMissing(errors, `${field}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']);
  });
}

export function validateSliceUpdate(slice: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  immutable(errors, 'addressType', slice['addressType'], old['addressType']);
  return errors;
}
