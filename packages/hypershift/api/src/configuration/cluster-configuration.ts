/** The OpenShift configuration a HostedCluster carries into the hosted cluster. */
import { object } from '../schema/index.ts';
import { apiServerConfiguration } from './api-server.ts';
import { authenticationConfiguration } from './authentication.ts';
import { featureGateConfiguration } from './feature-gate.ts';
import { imageConfiguration } from './image.ts';
import { ingressConfiguration } from './ingress.ts';
import { networkConfiguration } from './network.ts';
import { oauthConfiguration } from './oauth.ts';
import { operatorHubConfiguration } from './operator-hub.ts';
import { proxyConfiguration } from './proxy.ts';
import { schedulerConfiguration } from './scheduler.ts';

export const clusterConfiguration = object({
  apiServer: apiServerConfiguration.optional(),
  authentication: authenticationConfiguration.optional(),
  featureGate: featureGateConfiguration.optional(),
  image: imageConfiguration.optional(),
  ingress: ingressConfiguration.optional(),
  network: networkConfiguration.optional(),
  oauth: oauthConfiguration.optional(),
  operatorhub: operatorHubConfiguration.optional(),
  proxy: proxyConfiguration.optional(),
  scheduler: schedulerConfiguration.optional(),
}).describe(
  'OpenShift configuration of the hosted cluster. Set it here:',
  'changes made inside the cluster are reverted.',
);
