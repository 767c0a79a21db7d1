import type { HostedCluster, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import {
  capiProvider,
  clusterApi,
  type Component,
  controlPlaneOperator,
  roleBinding,
  serviceAccount,
} from '@hypershift-ts/hypershift-control-plane';
import type { Platform, PlatformType } from '@hypershift-ts/hypershift-platforms';
import { parseVersion, type ReleaseImage } from '@hypershift-ts/hypershift-release';
import { controlPlaneNamespaceOf } from '../names/index.ts';
import { podDeclarationOf } from './pod-declaration.ts';

/** What decides which operators run beside a control plane, and from which images. */
export interface OperatorFacts {
  readonly cluster: HostedCluster;
  readonly hostedControlPlane: HostedControlPlane;
  readonly platform: Platform;
  readonly release: ReleaseImage;
  /** Image of the control plane operator, which holds the token minter too. */
  readonly utilitiesImage: string;
  readonly providerImages?: { readonly [type in PlatformType]?: string } | undefined;
}

/** The service account a provider runs under unless its platform says otherwise. */
const usualProviderAccount = 'capi-provider';

interface Provider {
  readonly component: Component;
  readonly serviceAccount: string;
}

/** The infrastructure provider as its platform wants it; undefined on platforms without machines. */
function providerOf({ cluster, platform, release, ...facts }: OperatorFacts): Provider | undefined {
  const provider = platform.provider({
    cluster,
    namespace: controlPlaneNamespaceOf(cluster),
    hostedControlPlane: facts.hostedControlPlane,
    version: parseVersion(release.version),
    image: (component) => release.components.get(component),
    ...(facts.providerImages ? { providerImages: facts.providerImages } : {}),
    utilitiesImage: facts.utilitiesImage,
  });
  if (!provider) return undefined;
  const pod = podDeclarationOf(provider.podSpec);
  const component = capiProvider({ pod: () => pod, rules: platform.policyRules });
  const account = pod.serviceAccount ?? usualProviderAccount;
  if (account === usualProviderAccount) return { component, serviceAccount: account };
  const binding = roleBinding(account, { role: usualProviderAccount, serviceAccount: account });
  const manifests = [...component.manifests, serviceAccount(account), binding];
  return { component: { ...component, manifests }, serviceAccount: account };
}

/** The operators of one control plane in the order in which they are needed. */
export interface Operators {
  readonly components: readonly Component[];
  /** Whom the infrastructure provider is on the management cluster. */
  readonly providerAccount: string;
}

export function operatorsOf(facts: OperatorFacts): Operators {
  const provider = providerOf(facts);
  return {
    components: [controlPlaneOperator, clusterApi, ...(provider ? [provider.component] : [])],
    providerAccount: provider?.serviceAccount ?? usualProviderAccount,
  };
}
