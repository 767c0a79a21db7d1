/** Optional parts of OpenShift a hosted cluster has or does without. */
import { enumOf, list, object } from '../schema/index.ts';

export const capabilities = object({
  disabled: list(
    enumOf(['ImageRegistry', 'openshift-samples', 'Insights', 'baremetal', 'Console', 'NodeTuning', 'Ingress']),
    { type: 'atomic', maxItems: 25 },
  )
    .optional()
    .describe('Parts the cluster does without, decided at creation. `Ingress` can go only together with `Console`.')
    .immutable('Disabled is immutable. Changes might result in unpredictable and disruptive behavior.')
    .rule(
      "!self.exists(cap, cap == 'Ingress') || self.exists(cap, cap == 'Console')",
      'Ingress capability can only be disabled if Console capability is also disabled',
    ),
  enabled: list(
    enumOf(['ImageRegistry', 'openshift-samples', 'Insights', 'baremetal', 'Console', 'NodeTuning', 'Ingress']),
    { type: 'atomic', maxItems: 25 },
  )
    .optional()
    .describe('Parts to have in addition to those a cluster gets anyway, decided at creation.')
    .immutable('Enabled is immutable. Changes might result in unpredictable and disruptive behavior.'),
})
  .describe('Optional parts of OpenShift to add or leave out; decided at creation.')
  .immutable('Capabilities is immutable. Changes might result in unpredictable and disruptive behavior.')
  .rule(
    'has(self.enabled) && has(self.disabled) ? self.enabled.all(e, !(e in self.disabled)) : true',
    'Capabilities can not be both enabled and disabled at once.',
  );
