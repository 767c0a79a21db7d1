import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  formatIP,
  isDNS1123Label,
  isValidCIDR,
  parseCIDR,
  parseIP,
} from '@hypershift-ts/kube-apimachinery';
import { format, immutable, immutableMessage, qualifiedName, required, supported } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, specOf, stringsOf, textOf } from '../values.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

const longestController = 250;

export function validateIngressClass(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object);
  const controller = textOf(spec['controller']);
  if (controller.length > longestController) errors.push(fieldError.tooLong('spec.controller', longestController));
  const [domain = '', path] = [controller.split('/')[0], controller.split('/')[1]];
  if (required(errors, 'spec.controller', controller)) {
    if (path === undefined || path === '' || domain === '')
      errors.push(
        fieldError.invalid('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")'),
      );
    else qualifiedName(errors, 'spec.controller', `${domain}/x`);
  }
  if (!isSet(spec['parameters'])) return errors;
  const reference = fieldsOf(spec['parameters']);
  required(errors, 'spec.parameters.kind', reference['kind']);
  required(errors, 'spec.parameters.name', reference['name']);
  supported(errors, 'spec.parameters.scope', reference['scope'], ['Cluster', 'Namespace']);
  if (reference['scope'] === 'Namespace') {
    if (
      required(errors, 'spec.parameters.namespace', reference['namespace'], "`parameters.scope` is set to 'Namespace'")
    )
      format(errors, 'spec.parameters.namespace', reference['namespace'], isDNS1123Label);
  } else if (!isEmpty(reference['namespace']))
    errors.push(fieldError.forbidden('spec.parameters.namespace', "`parameters.scope` is set to 'Cluster'"));
  return errors;
}

export function validateIngressClassUpdate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  immutable(errors, 'spec.controller', specOf(object)['controller'], specOf(old)['controller']);
  return errors;
}

/** The name is the address, in its one canonical spelling. */
export function validateIpAddress(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = object.metadata.name ?? '';
  const address = parseIP(name);
  if (address === undefined)
    errors.push(
      fieldError.invalid('metadata.name', name, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
    );
  else if (formatIP(address) !== name)
    errors.push(fieldError.invalid('metadata.name', name, `must be in canonical form ("${formatIP(address)}")`));
  const spec = specOf(object);
  if (!isSet(spec['parentRef'])) errors.push(fieldError.required('spec.parentRef'));
  else
    for (const key of ['resource', 'name']) required(errors, `spec.parentRef.${key}`, fieldsOf(spec['parentRef'])[key]);
  return errors;
}

export function validateIpAddressUpdate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  immutable(errors, 'spec.parentRef', specOf(object)['parentRef'], specOf(old)['parentRef']);
  return errors;
}

export function validateServiceCidr(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const cidrs = stringsOf(specOf(object)['cidrs']);
  if (cidrs.length === 0) errors.push(fieldError.required('spec.cidrs', 'at least one CIDR required'));
  if (cidrs.length > 2) errors.push(fieldError.invalid('spec.cidrs', cidrs, 'may only hold up to 2 values'));
  cidrs.forEach((cidr, index) => format(errors, `spec.cidrs[${index}]`, cidr, isValidCIDR));
  const [first, second] = cidrs.map(parseCIDR);
  if (first && second && first.address.family === second.address.family)
    errors.push(
      fieldError.invalid(
        'spec.cidrs',
        cidrs,
        'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ),
    );
  return errors;
}

/** Addresses were already given out of the range, so it may gain a second family and lose nothing. */
export function validateServiceCidrUpdate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const now = stringsOf(specOf(object)['cidrs']);
  const before = stringsOf(specOf(old)['cidrs']);
  return semanticEqual(now.slice(0, before.length), before)
    ? []
    : [fieldError.invalid('spec.cidrs', now, immutableMessage)];
}
