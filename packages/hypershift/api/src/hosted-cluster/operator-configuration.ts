/** Settings of the operators inside the hosted cluster. */
import { boolean, enumOf, object } from '../schema/index.ts';
import { ingressEndpointPublishing } from './ingress-publishing.ts';
import { ovnKubernetesConfig } from './ovn-kubernetes.ts';

export const clusterNetworkOperator = object({
  disableMultiNetwork: boolean().optional().default(false).immutable('disableMultiNetwork is immutable'),
  ovnKubernetesConfig: ovnKubernetesConfig.optional(),
}).rule(
  '!has(oldSelf.ovnKubernetesConfig) || has(self.ovnKubernetesConfig)',
  'ovnKubernetesConfig is immutable once set and cannot be removed',
);

export const operatorConfiguration = object({
  clusterNetworkOperator: clusterNetworkOperator.optional(),
  clusterVersionOperator: object({
    operatorLogLevel: enumOf(['', 'Normal', 'Debug', 'Trace', 'TraceAll']).optional().default('Normal'),
  })
    .optional()
    .gate('ClusterVersionOperatorConfiguration'),
  ingressOperator: object({
    endpointPublishingStrategy: ingressEndpointPublishing.optional(),
  }).optional(),
});
