import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { loadBalancerAddresses, orNone } from '../table/format.ts';
import { isEmpty, listOf, specOf, statusOf, textOf } from '../values.ts';
import { validateIngress } from './ingress-validation.ts';

function hosts(rules: unknown): string {
  const all = listOf(rules);
  const shown: string[] = [];
  let more = false;
  for (const rule of all) {
    if (shown.length === 3) more = true;
    if (!more && textOf(rule['host']) !== '') shown.push(rule['host']);
  }
  if (shown.length === 0) return '*';
  return more ? `${shown.join(',')} + ${all.length - 3} more...` : shown.join(',');
}

export const ingress: KindBehaviour = {
  prepareForCreate: (draft) => {
    draft['status'] = { loadBalancer: {} };
  },
  validate: validateIngress,
  status: {},
  generation: true,
  warnings: (object) =>
    object.metadata.annotations?.['kubernetes.io/ingress.class'] === undefined
      ? []
      : ['annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead'],
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Class', 'Ingress class that implements it.'),
    text('Hosts', 'Host names it serves.'),
    text('Address', 'Where it is reached.'),
    text('Ports', 'Ports it listens on.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    return [
      nameOf(object),
      orNone(spec['ingressClassName']),
      hosts(spec['rules']),
      loadBalancerAddresses(statusOf(object)['loadBalancer']).join(','),
      isEmpty(spec['tls']) ? '80' : '80, 443',
      ageOf(object, now),
    ];
  },
};
