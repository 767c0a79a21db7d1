import { type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { corev1, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept } from '../guest/guest-object.ts';
import { base64, isOAuthEnabled, required } from './facts.ts';
import type { GuestInputs, ResourceGroup } from './inputs.ts';

const component = 'openshift.io/owning-component';
const bundleKey = 'ca-bundle.crt';

/** Who signs the certificates of nodes, as the hosted cluster must know it. */
export const clusterSigner: ResourceGroup = {
  name: 'cluster-signer',
  objects({ hcp, configMap }) {
    const ca = required(configMap('kubelet-client-ca')?.data?.['ca.crt'], 'ConfigMap', { hcp }, 'kubelet-client-ca');
    return [
      kept(
        corev1.secrets,
        { namespace: 'openshift-kube-apiserver-operator', name: 'kube-control-plane-signer' },
        { data: { 'tls.crt': base64(ca) } },
        { annotations: { [component]: 'kube-apiserver' } },
      ),
      kept(
        corev1.configmaps,
        { namespace: 'openshift-config-managed', name: 'kubelet-serving-ca' },
        { data: { [bundleKey]: ca } },
        { annotations: { [component]: 'kube-controller-manager' } },
      ),
    ];
  },
};

/** Pull secret of the cluster. Users may keep another one where an annotation says so. */
export const pullSecret: ResourceGroup = {
  name: 'pull-secret',
  objects({ hcp, secret }) {
    const { data, type } = required(secret('pull-secret'), 'Secret', { hcp }, 'pull-secret');
    const once = 'hypershift.openshift.io/ensureexists-pullsecret-reconcile' in (hcp.metadata.annotations ?? {});
    return ['openshift-config', 'openshift'].map((namespace) =>
      kept(corev1.secrets, { namespace, name: 'pull-secret' }, { data, type }, { keeping: once ? 'create' : 'keep' }),
    );
  },
};

/** Certificate authorities users add: for the cluster, for builds, and for images. */
export const userTrust: ResourceGroup = {
  name: 'user-trust',
  objects: (inputs) => [...additionalTrust(inputs), ...imageTrust(inputs), ...oauthTrust(inputs), serviceCa()],
};

function additionalTrust({ hcp, configMap }: GuestInputs): readonly GuestObject[] {
  const { additionalTrustBundle, configuration } = hcp.spec;
  const name = additionalTrustBundle?.name;
  const bundle = name ? required(configMap(name), 'ConfigMap', { hcp }, name).data?.[bundleKey] : undefined;
  const proxyName = configuration?.proxy?.trustedCA?.name;
  const proxyBundle = proxyName ? configMap(proxyName)?.data?.[bundleKey] : undefined;
  const all = [bundle, proxyBundle].filter((text) => text !== undefined && text !== '').join('\n');
  return [
    ...(bundle === undefined ? [] : [bundleIn('openshift-config', 'user-ca-bundle', bundle)]),
    ...(all === '' ? [] : [bundleIn('openshift-controller-manager', 'openshift-user-ca', all)]),
  ];
}

function imageTrust({ hcp, configMap }: GuestInputs): readonly GuestObject[] {
  const name = hcp.spec.configuration?.image?.additionalTrustedCA?.name;
  if (!name) return [];
  const { data } = required(configMap(name), 'ConfigMap', { hcp }, name);
  return [kept(corev1.configmaps, { namespace: 'openshift-config', name }, { data })];
}

/** The certificates with which the OAuth server answers, for the console and for tools that log in. */
function oauthTrust({ hcp, configMap }: GuestInputs): readonly GuestObject[] {
  const bundle = isOAuthEnabled(hcp) ? configMap('oauth-master-ca-bundle')?.data?.['ca.crt'] : undefined;
  if (bundle === undefined) return [];
  const namespace = 'openshift-config-managed';
  const name = 'system:openshift:oauth-servercert-trust';
  const rbac = 'rbac.authorization.k8s.io';
  return [
    bundleIn(namespace, 'oauth-serving-cert', bundle),
    kept(
      rbacv1.roles,
      { namespace, name },
      {
        rules: [
          {
            apiGroups: [''],
            resources: ['configmaps'],
            resourceNames: ['oauth-serving-cert'],
            verbs: ['get', 'list', 'watch'],
          },
        ],
      },
    ),
    kept(
      rbacv1.rolebindings,
      { namespace, name },
      {
        roleRef: { apiGroup: rbac, kind: 'Role', name },
        subjects: [{ apiGroup: rbac, kind: 'Group', name: 'system:authenticated' }],
      },
    ),
  ];
}

/** Filled in by the service CA operator of the hosted cluster. */
function serviceCa(): GuestObject {
  return kept(
    corev1.configmaps,
    { namespace: 'openshift-controller-manager', name: 'openshift-service-ca' },
    {},
    { annotations: { 'service.beta.openshift.io/inject-cabundle': 'true' } },
  );
}

/** Secrets and bundles of OIDC providers, which operators of the hosted cluster read. */
export const externalIdentity: ResourceGroup = {
  name: 'external-identity',
  objects: ({ hcp, configMap, secret }) =>
    oidcProviders(hcp).flatMap((provider) => {
      const ca = provider.issuer?.issuerCertificateAuthority?.name;
      const clients = (provider.oidcClients ?? []).map(({ clientSecret }) => clientSecret?.name).filter(Boolean);
      return [
        ...(ca
          ? [
              kept(
                corev1.configmaps,
                { namespace: 'openshift-config', name: ca },
                { data: required(configMap(ca), 'ConfigMap', { hcp }, ca).data },
              ),
            ]
          : []),
        ...clients.map((name) =>
          kept(
            corev1.secrets,
            { namespace: 'openshift-config', name: name ?? '' },
            { data: required(secret(name ?? ''), 'Secret', { hcp }, name ?? '').data },
          ),
        ),
      ];
    }),
};

function oidcProviders({ spec }: HostedControlPlane) {
  const { type, oidcProviders = [] } = spec.configuration?.authentication ?? {};
  return type === 'OIDC' ? oidcProviders : [];
}

const bundleIn = (namespace: string, name: string, bundle: string): GuestObject =>
  kept(corev1.configmaps, { namespace, name }, { data: { [bundleKey]: bundle } });
