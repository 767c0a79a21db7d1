import type { Draft, KindBehaviour } from '../behaviour.ts';
import { maybe } from '../defaulting.ts';
import { specOf } from '../values.ts';
import { nodeCells, nodeColumns } from './node-columns.ts';
import { validateNode, validateNodeStatus, validateNodeUpdate } from './node-validation.ts';
import { canonicalList } from './resources/canonical.ts';

/** podCIDR is the first of podCIDRs; whichever is given fills the other, and podCIDR wins. */
function alignPodRanges(node: Draft): void {
  const spec = maybe(node, 'spec');
  if (!spec) return;
  const ranges: string[] = spec['podCIDRs'] ?? [];
  if (spec['podCIDR'] && ranges[0] !== spec['podCIDR']) spec['podCIDRs'] = [spec['podCIDR'], ...ranges.slice(1)];
  else if (!spec['podCIDR'] && ranges[0]) spec['podCIDR'] = ranges[0];
}

/** What a node can hold is what it has, until it says that part of it is reserved. */
function defaultNode(node: Draft): void {
  alignPodRanges(node);
  const status = maybe(node, 'status');
  if (!status) return;
  canonicalList(status, 'capacity');
  canonicalList(status, 'allocatable');
  const capacity = maybe(status, 'capacity');
  if (capacity && !maybe(status, 'allocatable')) status['allocatable'] = { ...capacity };
}

export const node: KindBehaviour = {
  defaults: defaultNode,
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  status: { keepOnCreate: true, prepare: defaultNode, validate: validateNodeStatus },
  selectableFields: { 'spec.unschedulable': (object) => String(specOf(object)['unschedulable'] === true) },
  unconditionalUpdate: true,
  columns: nodeColumns,
  cells: nodeCells,
};
