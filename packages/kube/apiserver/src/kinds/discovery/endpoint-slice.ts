import type { Draft, KindBehaviour } from '../behaviour.ts';
import { items, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { listWithMore } from '../table/format.ts';
import { isSet, listOf, stringsOf, textOf } from '../values.ts';
import { validateSlice, validateSliceUpdate } from './validation.ts';

function defaultSlice(slice: Draft): void {
  for (const port of items(slice, 'ports')) {
    if (!isSet(port['name'])) port['name'] = '';
    setDefault(port, 'protocol', 'TCP');
  }
  // Both lists are always written, even when nothing is in them.
  slice['endpoints'] ??= [];
  slice['ports'] ??= [];
}

function portText(port: Draft): string {
  return isSet(port['port']) ? String(port['port']) : isSet(port['name']) ? textOf(port['name']) : '*';
}

export const endpointSlice: KindBehaviour = {
  defaults: defaultSlice,
  validate: validateSlice,
  validateUpdate: validateSliceUpdate,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('AddressType', 'IPv4, IPv6 or FQDN.'),
    text('Ports', 'Ports of every endpoint.'),
    text('Endpoints', 'Addresses of the endpoints.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameOf(object),
    textOf(object['addressType']),
    listWithMore(listOf(object['ports']).map(portText), 3, '<unset>'),
    listWithMore(
      listOf(object['endpoints']).flatMap((endpoint) => stringsOf(endpoint['addresses'])),
      3,
      '<unset>',
    ),
    ageOf(object, now),
  ],
};
