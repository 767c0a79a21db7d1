import { access } from './access.ts';
import { admissionPolicies } from './admission-policies.ts';
import { aggregatedApis } from './aggregated-apis.ts';
import { apiEndpoint } from './api-endpoint.ts';
import { cloudAccess } from './cloud-access.ts';
import { cloudConfig } from './cloud-config.ts';
import { clusterOperators } from './cluster-operators.ts';
import { clusterVersion } from './cluster-version.ts';
import { globalConfig } from './global-config.ts';
import { imageRegistry } from './image-registry.ts';
import { ingressController } from './ingress.ts';
import type { ResourceGroup } from './inputs.ts';
import { installation } from './installation.ts';
import { kasConnectionChecker } from './kas-connection-checker.ts';
import { konnectivityAgent } from './konnectivity-agent.ts';
import { kubeadmin } from './kubeadmin.ts';
import { kubeletConfigs } from './kubelet-configs.ts';
import { namespaces } from './namespaces.ts';
import { oauthClients } from './oauth-clients.ts';
import { operatorCatalogs } from './operator-catalogs.ts';
import { operators } from './operators.ts';
import { podIdentity } from './pod-identity.ts';
import { clusterSigner, externalIdentity, pullSecret, userTrust } from './trust.ts';

/** Everything the operator keeps in a hosted cluster, in the order it is brought in. */
export function resourceGroups(now: () => number): readonly ResourceGroup[] {
  return [
    namespaces,
    apiEndpoint,
    // Before the configuration they protect, so that no user is faster.
    admissionPolicies,
    access,
    clusterVersion,
    clusterOperators(now),
    globalConfig,
    installation,
    clusterSigner,
    pullSecret,
    konnectivityAgent,
    kasConnectionChecker,
    imageRegistry,
    ingressController,
    externalIdentity,
    aggregatedApis,
    kubeadmin,
    operators,
    userTrust,
    cloudAccess,
    cloudConfig,
    podIdentity,
    oauthClients,
    operatorCatalogs,
    kubeletConfigs,
  ];
}
