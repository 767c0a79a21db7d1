import { baseDomainOf, clusterNetworks, serviceNetworks } from '../../framework/cluster-facts.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { featureGatesOf } from '../../framework/feature-gates.ts';
import { servingInfo } from '../../framework/tls.ts';
import { openshiftArguments } from './arguments.ts';

const certs = '/etc/kubernetes/certs';

/** The configuration file of OpenShift's kube-apiserver. */
export function apiServerConfiguration(context: ControlPlaneContext): string {
  const { hcp } = context;
  const enforce = featureGatesOf(context).includes('OpenShiftPodSecurityAdmission=true') ? 'restricted' : 'privileged';
  return JSON.stringify({
    kind: 'KubeAPIServerConfig',
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    servingInfo: {
      ...servingInfo(context, 6443, { certFile: `${certs}/server/tls.crt`, keyFile: `${certs}/server/tls.key` }),
      namedCertificates: [{ certFile: `${certs}/server-private/tls.crt`, keyFile: `${certs}/server-private/tls.key` }],
    },
    corsAllowedOrigins: ['//127\\.0\\.0\\.1(:|$)', '//localhost(:|$)'],
    admission: {
      pluginConfig: {
        PodSecurity: {
          configuration: {
            kind: 'PodSecurityConfiguration',
            apiVersion: 'pod-security.admission.config.k8s.io/v1',
            defaults: {
              enforce,
              'enforce-version': 'latest',
              audit: 'restricted',
              'audit-version': 'latest',
              warn: 'restricted',
              'warn-version': 'latest',
            },
            exemptions: { usernames: ['system:serviceaccount:openshift-infra:build-controller'] },
          },
        },
        'network.openshift.io/ExternalIPRanger': {
          configuration: {
            apiVersion: 'network.openshift.io/v1',
            kind: 'ExternalIPRangerAdmissionConfig',
            allowIngressIP: false,
            externalIPNetworkCIDRs: [],
          },
        },
        'network.openshift.io/RestrictedEndpointsAdmission': {
          configuration: {
            apiVersion: 'network.openshift.io/v1',
            kind: 'RestrictedEndpointsAdmissionConfig',
            restrictedCIDRs: [...clusterNetworks(context), ...serviceNetworks(context)],
          },
        },
      },
    },
    authConfig: { oauthMetadataFile: '/etc/kubernetes/oauth/oauthMetadata.json' },
    consolePublicURL: `https://console-openshift-console.apps.${baseDomainOf(hcp)}`,
    imagePolicyConfig: { internalRegistryHostname: 'image-registry.openshift-image-registry.svc:5000' },
    projectConfig: { defaultNodeSelector: '' },
    serviceAccountPublicKeyFiles: ['/etc/kubernetes/secrets/svcacct-key/service-account.pub'],
    servicesSubnet: serviceNetworks(context).join(','),
    apiServerArguments: openshiftArguments(context),
  });
}

/** Only connections to pods, services and nodes of the hosted cluster go through the tunnel. */
export function egressConfiguration(): string {
  const direct = (name: string): object => ({ name, connection: { proxyProtocol: 'Direct' } });
  return JSON.stringify({
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [
      direct('controlplane'),
      direct('etcd'),
      {
        name: 'cluster',
        connection: {
          proxyProtocol: 'HTTPConnect',
          transport: {
            tcp: {
              url: 'https://konnectivity-server-local:8090',
              tlsConfig: {
                caBundle: `${certs}/konnectivity-ca/ca.crt`,
                clientCert: `${certs}/konnectivity-client/tls.crt`,
                clientKey: `${certs}/konnectivity-client/tls.key`,
              },
            },
          },
        },
      },
    ],
  });
}

/** Served under `/.well-known/oauth-authorization-server`. */
export function oauthMetadata({ endpoints }: ControlPlaneContext): string {
  const issuer = endpoints.oauth ? `https://${endpoints.oauth.host}:${endpoints.oauth.port}` : '';
  return JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    scopes_supported: [
      'user:check-access',
      'user:full',
      'user:info',
      'user:list-projects',
      'user:list-scoped-projects',
    ],
    response_types_supported: ['code', 'token'],
    grant_types_supported: ['authorization_code', 'implicit'],
    code_challenge_methods_supported: ['plain', 'S256'],
  });
}

/** Users from OIDC providers of the cluster's owner; without any, an empty list. */
export function authenticationConfiguration({ hcp }: ControlPlaneContext): string {
  const providers = hcp.spec.configuration?.authentication?.oidcProviders ?? [];
  return JSON.stringify({
    kind: 'AuthenticationConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    jwt: providers.map(({ issuer, claimMappings }) => {
      const username = claimMappings?.username;
      const groups = claimMappings?.groups;
      const prefixed = username?.prefixPolicy === 'Prefix' ? username.prefix?.prefixString : undefined;
      const inherent =
        username?.claim === 'email' || username?.prefixPolicy === 'NoPrefix' ? '' : `${issuer.issuerURL}#`;
      return {
        issuer: {
          url: issuer.issuerURL,
          audiences: issuer.audiences,
          ...(issuer.audiences.length > 1 ? { audienceMatchPolicy: 'MatchAny' } : {}),
        },
        claimMappings: {
          username: { claim: username?.claim ?? 'sub', prefix: prefixed ?? inherent },
          ...(groups?.claim ? { groups: { claim: groups.claim, prefix: groups.prefix ?? '' } } : {}),
        },
      };
    }),
  });
}
