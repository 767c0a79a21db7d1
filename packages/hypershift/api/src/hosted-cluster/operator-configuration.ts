/** Settings of the operators inside the hosted cluster. */
import { boolean, enumOf, object } from '../schema/index.ts';
import { ingressEndpointPublishing } from './ingress-publishing.ts';
import { ovnKubernetesConfig } from './ovn-kubernetes.ts';

export const clusterNetworkOperator = object({
  disableMultiNetwork: boolean()
    .optional()
    .default(false)
    .describe(
      'Leaves out Multus and with it second networks of pods; only for network type `Other`,',
      'decided at creation.',
    )
    .immutable('disableMultiNetwork is immutable'),
  ovnKubernetesConfig: ovnKubernetesConfig.optional(),
})
  .describe('Settings of the network operator.')
  .rule(
    '!has(oldSelf.ovnKubernetesConfig) || has(self.ovnKubernetesConfig)',
    'ovnKubernetesConfig is immutable once set and cannot be removed',
  );

export const operatorConfiguration = object({
  clusterNetworkOperator: clusterNetworkOperator.optional(),
  clusterVersionOperator: object({
    operatorLogLevel: enumOf(['', 'Normal', 'Debug', 'Trace', 'TraceAll'])
      .optional()
      .default('Normal')
      .describe('How much the operator logs; an empty string counts as `Normal`.'),
  })
    .optional()
    .gate('ClusterVersionOperatorConfiguration')
    .describe('Settings of the operator that rolls out releases.'),
  ingressOperator: object({
    endpointPublishingStrategy: ingressEndpointPublishing.optional(),
  })
    .optional()
    .describe('Settings of the ingress operator.'),
}).describe('Settings of operators that work for the hosted cluster.');
