import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { isDNS1123Label } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../../behaviour.ts';
import { semanticEqual } from '../../rules/semantic-equality.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, textOf } from '../../values.ts';
import { isWholeQuantity, isQuantity } from '../resources/compare.ts';

/** What is allowed in a pod spec and yet seldom meant, in the words of the real server. */

const oldNodeLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** `field` is the path of the spec, `spec` or `spec.template.spec`. */
export function podSpecWarnings(spec: Draft, field: string): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(fieldsOf(spec['nodeSelector'])))
    if (Object.hasOwn(oldNodeLabels, key)) warnings.push(`${field}.nodeSelector[${key}]: ${oldNodeLabels[key]}`);
  listOf(spec['topologySpreadConstraints']).forEach((constraint, index) => {
    if (!isSet(constraint['labelSelector']))
      warnings.push(
        `${field}.topologySpreadConstraints[${index}].labelSelector: a null labelSelector results in matching no pod`,
      );
  });
  listOf(spec['volumes']).forEach((volume, index) => {
    for (const key of Object.keys(volume))
      if (Object.hasOwn(oldVolumes, key)) warnings.push(`${field}.volumes[${index}].${key}: ${oldVolumes[key]}`);
  });
  repeated(listOf(spec['hostAliases']), 'ip', (index, value) =>
    warnings.push(`${field}.hostAliases[${index}].ip: duplicate ip "${value}"`),
  );
  repeated(listOf(spec['imagePullSecrets']), 'name', (index, value) =>
    warnings.push(`${field}.imagePullSecrets[${index}].name: duplicate name "${value}"`),
  );
  listOf(spec['imagePullSecrets']).forEach((secret, index) => {
    if (isEmpty(secret['name'])) warnings.push(`${field}.imagePullSecrets[${index}].name: invalid empty name ""`);
  });
  for (const list of ['initContainers', 'containers'])
    listOf(spec[list]).forEach((container, index) =>
      warnings.push(...containerWarnings(container, `${field}.${list}[${index}]`)),
    );
  if (numberOf(spec['terminationGracePeriodSeconds']) < 0)
    warnings.push(
      `${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
    );
  return warnings;
}

function containerWarnings(container: Draft, field: string): string[] {
  const warnings: string[] = [];
  const resources = fieldsOf(container['resources']);
  for (const name of ['memory', 'ephemeral-storage'])
    for (const list of ['limits', 'requests']) {
      const value: unknown = fieldsOf(resources[list])[name];
      if (typeof value === 'string' && isQuantity(value) && !isWholeQuantity(value))
        warnings.push(
          `${field}.resources.${list}[${name}]: fractional byte value "${value}" is invalid, must be an integer`,
        );
    }
  const seen = new Set<string>();
  listOf(container['env']).forEach((env, index) => {
    const name = textOf(env['name']);
    // A variable that refers to its earlier self, like PATH, extends it and hides nothing.
    if (seen.has(name) && !textOf(env['value']).includes(`$(${name})`))
      warnings.push(
        `${field}.env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`,
      );
    seen.add(name);
  });
  const ports = new Map<string, string>();
  listOf(container['ports']).forEach((port, index) => {
    const key = `${numberOf(port['containerPort'])}/${textOf(port['protocol'])}/${numberOf(port['hostPort'])}/${textOf(port['hostIP'])}`;
    const other = ports.get(key);
    if (other !== undefined) warnings.push(`${field}.ports[${index}]: duplicate port definition with ${other}`);
    else ports.set(key, `${field}.ports[${index}]`);
  });
  return warnings;
}

function repeated(list: readonly Draft[], key: string, report: (index: number, value: string) => void): void {
  const seen = new Set<string>();
  list.forEach((item, index) => {
    const value = textOf(item[key]);
    if (value === '') return;
    if (seen.has(value)) report(index, value);
    seen.add(value);
  });
}

/** Names that become host names should be DNS labels, not only subdomains. */
export function hostnameWarning(object: UnstructuredObject, what: string): string[] {
  const messages = isDNS1123Label(object.metadata.name ?? '');
  return messages.length === 0
    ? []
    : [
        `metadata.name: this is used in ${what}, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
      ];
}

/** The warnings of a workload: those of its template, unless the template stays what it was. */
export function templateWarnings(nameUse?: string): NonNullable<KindBehaviour['warnings']> {
  const templateOf = (object: UnstructuredObject) => fieldsOf(fieldsOf(object['spec'])['template']);
  return (object, old) => {
    const template = templateOf(object);
    if (old !== undefined && semanticEqual(template, templateOf(old))) return [];
    const named = old === undefined && nameUse !== undefined ? hostnameWarning(object, nameUse) : [];
    return [...named, ...podSpecWarnings(fieldsOf(template['spec']), 'spec.template.spec')];
  };
}
