import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { items, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { hostPort, listWithMore } from '../table/format.ts';
import { listOf, textOf } from '../values.ts';
import { validateEndpoints } from './endpoints-validation.ts';

function defaultEndpoints(endpoints: Draft): void {
  for (const subset of items(endpoints, 'subsets'))
    for (const port of items(subset, 'ports')) setDefault(port, 'protocol', 'TCP');
}

/** Addresses with their ports; a subset without ports is a headless service and shows addresses alone. */
function addresses(object: UnstructuredObject): string {
  const subsets = listOf(object['subsets']);
  const shown: string[] = [];
  for (const subset of subsets) {
    const ports = listOf(subset['ports']);
    for (const port of ports.length > 0 ? ports : [undefined]) {
      for (const address of listOf(subset['addresses'])) {
        const ip = textOf(address['ip']);
        shown.push(port === undefined ? ip : hostPort(ip, port['port']));
      }
    }
  }
  return listWithMore(shown, 3, subsets.length === 0 ? '<none>' : '');
}

export const endpoints: KindBehaviour = {
  defaults: defaultEndpoints,
  validate: validateEndpoints,
  unconditionalUpdate: true,
  createOnUpdate: true,
  columns: [nameColumn, text('Endpoints', 'Addresses and ports behind the service.'), ageColumn],
  cells: (object, now) => [nameOf(object), addresses(object), ageOf(object, now)],
};
