import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isDNS1123Label,
  isDNS1123Subdomain,
  validateLabels,
  isValidCIDR,
} from '@hypershift-ts/kube-apimachinery';
import { isIP } from 'node:net';
import type { Draft } from '../../behaviour.ts';
import {
  format,
  portNumber,
  required,
  supported,
  supportedOrMissing,
  qualifiedName,
  inRange,
} from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, specOf, stringsOf, textOf } from '../../values.ts';
import { validatePort } from '../pod-spec/probe-validation.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] as const;
const invalidIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

export function validateService(service: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(service);
  const type = textOf(spec['type']);
  const headless = clusterIpsOf(spec)[0] === 'None';
  const ports = listOf(spec['ports']);
  if (ports.length === 0 && !headless && type !== 'ExternalName') errors.push(fieldError.required('spec.ports'));
  validateType(errors, spec, headless);
  ports.forEach((port, index) => validatePortEntry(errors, port, ports.length > 1, `spec.ports[${index}]`));
  validatePortUniqueness(errors, ports);
  errors.push(...validateLabels(fieldsOf(spec['selector']), 'spec.selector'));
  validateAffinity(errors, spec);
  if (type !== 'ExternalName') validateAddresses(errors, spec);
  stringsOf(spec['externalIPs']).forEach((ip, index) => {
    if (isIP(ip) === 0) errors.push(fieldError.invalid(`spec.externalIPs[${index}]`, ip, invalidIp));
  });
  supportedOrMissing(errors, 'spec.type', type, types);
  validateTrafficPolicies(errors, spec);
  validateLoadBalancerFields(errors, spec);
  return errors;
}

function clusterIpsOf(spec: Draft): readonly string[] {
  const list = stringsOf(spec['clusterIPs']);
  return list.length > 0 || isEmpty(spec['clusterIP']) ? list : [textOf(spec['clusterIP'])];
}

function validateType(errors: FieldError[], spec: Draft, headless: boolean): void {
  const type = spec['type'];
  if (headless && (type === 'LoadBalancer' || type === 'NodePort'))
    errors.push(fieldError.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  if (type !== 'ExternalName') return;
  for (const key of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
    if (!isEmpty(spec[key]) || (key === 'clusterIPs' && !isEmpty(spec['clusterIP'])))
      errors.push(fieldError.forbidden(`spec.${key}`, 'may not be set for ExternalName services'));
  const name = textOf(spec['externalName']).replace(/\.$/, '');
  if (required(errors, 'spec.externalName', name)) format(errors, 'spec.externalName', name, isDNS1123Subdomain);
}

function validatePortEntry(errors: FieldError[], port: Draft, named: boolean, field: string): void {
  const name = textOf(port['name']);
  if (named && name === '') errors.push(fieldError.required(`${field}.name`));
  else if (name !== '') format(errors, `${field}.name`, name, isDNS1123Label);
  portNumber(errors, `${field}.port`, port['port']);
  supportedOrMissing(errors, `${field}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']);
  validatePort(errors, port['targetPort'], `${field}.targetPort`);
}

function validatePortUniqueness(errors: FieldError[], ports: readonly Draft[]): void {
  const names = new Set<string>();
  const numbers = new Set<string>();
  const nodePorts = new Set<string>();
  ports.forEach((port, index) => {
    const field = `spec.ports[${index}]`;
    const name = textOf(port['name']);
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${field}.name`, name));
    names.add(name);
    const protocol = textOf(port['protocol']);
    const nodePort = numberOf(port['nodePort']);
    if (nodePort !== 0) {
      const key = `${protocol}/${nodePort}`;
      if (nodePorts.has(key)) errors.push(fieldError.duplicate(`${field}.nodePort`, nodePort));
      nodePorts.add(key);
    }
    const key = `${protocol}/${numberOf(port['port'])}`;
    if (numbers.has(key)) errors.push(fieldError.duplicate(field, { protocol, port: numberOf(port['port']) }));
    numbers.add(key);
  });
}

const maxAffinitySeconds = 86_400;

function validateAffinity(errors: FieldError[], spec: Draft): void {
  supportedOrMissing(errors, 'spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None']);
  if (spec['sessionAffinity'] === 'ClientIP') {
    const seconds = fieldsOf(fieldsOf(spec['sessionAffinityConfig'])['clientIP'])['timeoutSeconds'];
    if (typeof seconds === 'number' && (seconds <= 0 || seconds > maxAffinitySeconds))
      errors.push(
        fieldError.invalid(
          'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
          seconds,
          `must be greater than 0 and less than ${maxAffinitySeconds}`,
        ),
      );
  } else if (isSet(spec['sessionAffinityConfig']))
    errors.push(fieldError.forbidden('spec.sessionAffinityConfig', 'must not be set when session affinity is None'));
}

function validateAddresses(errors: FieldError[], spec: Draft): void {
  const single = textOf(spec['clusterIP']);
  const list = stringsOf(spec['clusterIPs']);
  const families = stringsOf(spec['ipFamilies']);
  if (list.length > 0 && single === '')
    errors.push(fieldError.invalid('spec.clusterIPs', list, 'must be empty when `clusterIP` is not specified'));
  else if (list.length > 0 && list[0] !== single)
    errors.push(fieldError.invalid('spec.clusterIPs', list, 'first value must match `clusterIP`'));
  families.forEach((family, index) => {
    supported(errors, `spec.ipFamilies[${index}]`, family, ['IPv4', 'IPv6']);
    if (families.indexOf(family) < index) errors.push(fieldError.duplicate(`spec.ipFamilies[${index}]`, family));
  });
  supported(errors, 'spec.ipFamilyPolicy', spec['ipFamilyPolicy'], [
    'PreferDualStack',
    'RequireDualStack',
    'SingleStack',
  ]);
  const shown = list.length > 0 ? list : single === '' ? [] : [single];
  if (shown.length > 2) errors.push(fieldError.invalid('spec.clusterIPs', shown, 'may only hold up to 2 values'));
  shown.forEach((ip, index) => {
    if (ip === 'None') {
      if (shown.length > 1)
        errors.push(fieldError.invalid('spec.clusterIPs', shown, "'None' must be the first and only value"));
      return;
    }
    const version = isIP(ip);
    if (version === 0) errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, ip, invalidIp));
    else if (families[index] !== undefined && families[index] !== `IPv${version}`)
      errors.push(
        fieldError.invalid(
          `spec.clusterIPs[${index}]`,
          ip,
          `expected an ${families[index]} value as indicated by \`ipFamilies[${index}]\``,
        ),
      );
  });
}

function validateTrafficPolicies(errors: FieldError[], spec: Draft): void {
  const external = spec['type'] === 'LoadBalancer' || spec['type'] === 'NodePort' || !isEmpty(spec['externalIPs']);
  const policy = spec['externalTrafficPolicy'];
  if (!external) {
    if (!isEmpty(policy))
      errors.push(
        fieldError.invalid('spec.externalTrafficPolicy', policy, 'may only be set for externally-accessible services'),
      );
  } else supportedOrMissing(errors, 'spec.externalTrafficPolicy', policy, ['Cluster', 'Local']);
  const needsHealthCheck = spec['type'] === 'LoadBalancer' && policy === 'Local';
  if (!needsHealthCheck && !isEmpty(spec['healthCheckNodePort']))
    errors.push(
      fieldError.invalid(
        'spec.healthCheckNodePort',
        spec['healthCheckNodePort'],
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  else if (!isEmpty(spec['healthCheckNodePort']))
    inRange(errors, 'spec.healthCheckNodePort', spec['healthCheckNodePort'], 1, 65535);
  listOf(spec['ports']).forEach((port, index) => {
    if (isSet(port['appProtocol'])) qualifiedName(errors, `spec.ports[${index}].appProtocol`, port['appProtocol']);
  });
  if (isSet(spec['internalTrafficPolicy']))
    supported(errors, 'spec.internalTrafficPolicy', spec['internalTrafficPolicy'], ['Cluster', 'Local']);
  supported(errors, 'spec.trafficDistribution', spec['trafficDistribution'], [
    'PreferClose',
    'PreferSameNode',
    'PreferSameZone',
  ]);
}

function validateLoadBalancerFields(errors: FieldError[], spec: Draft): void {
  const type = spec['type'];
  if (type === 'ClusterIP')
    listOf(spec['ports']).forEach((port, index) => {
      if (!isEmpty(port['nodePort']))
        errors.push(
          fieldError.forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"),
        );
    });
  if (type === 'LoadBalancer') {
    stringsOf(spec['loadBalancerSourceRanges']).forEach((range, index) =>
      format(errors, `spec.LoadBalancerSourceRanges[${index}]`, range.trim(), isValidCIDR),
    );
    if (isSet(spec['loadBalancerClass'])) qualifiedName(errors, 'spec.loadBalancerClass', spec['loadBalancerClass']);
    return;
  }
  for (const key of ['loadBalancerSourceRanges', 'allocateLoadBalancerNodePorts', 'loadBalancerClass'])
    if (isSet(spec[key]) && !(Array.isArray(spec[key]) && spec[key].length === 0))
      errors.push(fieldError.forbidden(`spec.${key}`, "may only be used when `type` is 'LoadBalancer'"));
}

/** Addresses are other people's configuration by now: they do not change while the service keeps its type. */
export function validateServiceUpdate(service: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(service);
  const before = specOf(old);
  if (spec['type'] !== 'ExternalName' && before['type'] !== 'ExternalName') {
    const now = clusterIpsOf(spec);
    const then = clusterIpsOf(before);
    if (then[0] !== undefined && then[0] !== now[0])
      errors.push(
        now[0] === undefined
          ? fieldError.invalid('spec.clusterIPs[0]', now, 'primary clusterIP can not be unset')
          : fieldError.invalid('spec.clusterIPs[0]', now, 'may not change once set'),
      );
    else if (then[1] !== undefined && now[1] !== undefined && then[1] !== now[1])
      errors.push(fieldError.invalid('spec.clusterIPs[1]', now, 'may not change once set'));
    const family = stringsOf(before['ipFamilies'])[0];
    const families = stringsOf(spec['ipFamilies']);
    if (family !== undefined && families[0] !== undefined && family !== families[0])
      errors.push(fieldError.invalid('spec.ipFamilies[0]', families, 'may not change once set'));
  }
  if (
    spec['type'] === 'LoadBalancer' &&
    before['type'] === 'LoadBalancer' &&
    (spec['loadBalancerClass'] ?? '') !== (before['loadBalancerClass'] ?? '')
  )
    errors.push(fieldError.invalid('spec.loadBalancerClass', spec['loadBalancerClass'], 'may not change once set'));
  return errors;
}
