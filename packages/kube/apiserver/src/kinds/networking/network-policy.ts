import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, items, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { formatLabelSelector } from '../table/format.ts';
import { isEmpty, specOf } from '../values.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';

/** A policy without types is about ingress, and about egress when it has egress rules. */
function defaultPolicy(policy: Draft): void {
  const spec = child(policy, 'spec');
  // The field is a struct in the real server: selecting every pod is written as an empty selector.
  child(spec, 'podSelector');
  for (const direction of ['ingress', 'egress'])
    for (const rule of items(spec, direction))
      for (const port of items(rule, 'ports')) setDefault(port, 'protocol', 'TCP');
  if (isEmpty(spec['policyTypes'])) spec['policyTypes'] = isEmpty(spec['egress']) ? ['Ingress'] : ['Ingress', 'Egress'];
}

export const networkPolicy: KindBehaviour = {
  defaults: defaultPolicy,
  validate: validateNetworkPolicy,
  generation: true,
  unconditionalUpdate: true,
  columns: [nameColumn, text('Pod-Selector', 'Pods it applies to.'), ageColumn],
  cells: (object, now) => [nameOf(object), formatLabelSelector(specOf(object)['podSelector']), ageOf(object, now)],
};
