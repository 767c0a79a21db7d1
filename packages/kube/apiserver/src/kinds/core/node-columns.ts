import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column, Draft } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, wide } from '../table/columns.ts';
import { orNone } from '../table/format.ts';
import { fieldsOf, listOf, specOf, statusOf, textOf } from '../values.ts';

export const nodeColumns: readonly Column[] = [
  nameColumn,
  text('Status', 'Whether it is ready and takes new pods.'),
  text('Roles', 'Roles its labels give it.'),
  ageColumn,
  text('Version', 'Version of its kubelet.'),
  wide(text('Internal-IP', 'Address inside the cluster network.')),
  wide(text('External-IP', 'Address outside the cluster network.')),
  wide(text('OS-Image', 'Operating system it runs.')),
  wide(text('Kernel-Version', 'Kernel it runs, with the architecture.')),
  wide(text('Container-Runtime', 'What runs its containers.')),
];

export function nodeCells(node: UnstructuredObject, now: number): readonly unknown[] {
  const status = statusOf(node);
  const info = fieldsOf(status['nodeInfo']);
  const architecture = textOf(info['architecture']);
  const kernel = orNone(info['kernelVersion'], '<unknown>');
  return [
    nameOf(node),
    statusText(specOf(node), status),
    roles(fieldsOf(node.metadata.labels)),
    ageOf(node, now),
    textOf(info['kubeletVersion']),
    addressOf(status, 'InternalIP'),
    addressOf(status, 'ExternalIP'),
    orNone(info['osImage'], '<unknown>'),
    architecture === '' ? kernel : `${kernel} (${architecture})`,
    orNone(info['containerRuntimeVersion'], '<unknown>'),
  ];
}

function statusText(spec: Draft, status: Draft): string {
  const ready = listOf(status['conditions']).find((condition) => condition['type'] === 'Ready');
  const parts = [ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady'];
  if (spec['unschedulable'] === true) parts.push('SchedulingDisabled');
  return parts.join(',');
}

const rolePrefix = 'node-role.kubernetes.io/';

function roles(labels: Draft): string {
  const found = new Set<string>();
  for (const key of Object.keys(labels)) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) found.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role' && labels[key] !== '') found.add(labels[key]);
  }
  return found.size === 0 ? '<none>' : [...found].sort().join(',');
}

function addressOf(status: Draft, type: string): string {
  return textOf(listOf(status['addresses']).find((address) => address['type'] === type)?.['address']) || '<none>';
}
