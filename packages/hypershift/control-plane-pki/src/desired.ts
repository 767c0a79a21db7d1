import type { corev1, OwnerReference } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { bundle } from '@hypershift-ts/kube-pki';
import type { PkiFacts } from './facts.ts';
import type { SecretContent } from './issue.ts';
import { kubeconfigText } from './kubeconfig-text.ts';
import type { PkiState } from './material.ts';
import { encoded } from './material.ts';
import type { BundleSource, KubeconfigSpec } from './table/index.ts';
import { authoritiesOf, bundlesOf, kubeconfigLabel, kubeconfigsOf, tlsKeys } from './table/index.ts';

type Secret = corev1.Secret;
type ConfigMap = corev1.ConfigMap;

export interface Ownership {
  readonly owner?: OwnerReference;
  /** Put on everything, such as `hypershift.openshift.io/cluster`. */
  readonly annotations?: { readonly [key: string]: string };
}

/** Everything the PKI writes, in the order in which it must appear: who signs, who is trusted, who is who. */
export interface DesiredPki {
  readonly authorities: readonly NewObject<Secret>[];
  readonly bundles: readonly NewObject<ConfigMap>[];
  readonly leaves: readonly NewObject<Secret>[];
  readonly kubeconfigs: readonly NewObject<Secret>[];
}

/** The objects that hold these contents, with the bundles and kubeconfigs that follow from them. */
export function desiredPki(
  facts: PkiFacts,
  contents: ReadonlyMap<string, SecretContent>,
  state: PkiState,
  ownership: Ownership = {},
): DesiredPki {
  const { namespace } = facts;
  const signing = new Set(authoritiesOf(facts).map(({ secret }) => secret));
  const configMaps = desiredBundles(facts, contents, state);
  const kubeconfigs = new Map(kubeconfigsOf(facts).map((spec) => [spec.secret, spec]));
  const secret = (name: string, content: SecretContent, labels?: { readonly [key: string]: string }) => ({
    metadata: metadata(namespace, name, ownership, content.annotations, labels),
    type: state.secrets.get(name)?.type ?? content.type,
    data: content.data,
  });
  const authorities: NewObject<Secret>[] = [];
  const leaves: NewObject<Secret>[] = [];
  for (const [name, content] of contents) {
    if (signing.has(name)) authorities.push(secret(name, content));
    else if (!kubeconfigs.has(name)) leaves.push(secret(name, content));
  }
  return {
    authorities,
    bundles: [...configMaps].map(([name, data]) => ({ metadata: metadata(namespace, name, ownership), data })),
    leaves,
    kubeconfigs: [...kubeconfigs.values()].map((spec) => {
      const own = contents.get(spec.secret);
      const data = { ...own?.data, [spec.key]: kubeconfig(spec, facts, contents, state) };
      const content = { type: 'Opaque', data, ...(own?.annotations ? { annotations: own.annotations } : {}) };
      return secret(spec.secret, content, kubeconfigLabels(spec));
    }),
  };
}

function metadata(
  namespace: string,
  name: string,
  ownership: Ownership,
  annotations: { readonly [key: string]: string } = {},
  labels: { readonly [key: string]: string } = {},
) {
  const marks = { ...ownership.annotations, ...annotations };
  return {
    namespace,
    name,
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(Object.keys(marks).length > 0 ? { annotations: marks } : {}),
    ...(ownership.owner ? { ownerReferences: [ownership.owner] } : {}),
  };
}

function kubeconfigLabels(spec: KubeconfigSpec): { readonly [key: string]: string } {
  return { ...(spec.scope ? { [kubeconfigLabel]: spec.scope } : {}), ...spec.labels };
}

const pem = (base64: string | undefined) => (base64 ? Buffer.from(base64, 'base64').toString('utf8') : '');

function desiredBundles(
  facts: PkiFacts,
  contents: ReadonlyMap<string, SecretContent>,
  state: PkiState,
): ReadonlyMap<string, { readonly [key: string]: string }> {
  const made = new Map<string, { readonly [key: string]: string }>();
  const read = (source: BundleSource): string =>
    'secret' in source
      ? pem((contents.get(source.secret) ?? state.secrets.get(source.secret))?.data?.[source.key])
      : ((made.get(source.configMap) ?? state.configMaps.get(source.configMap)?.data)?.[source.key] ?? '');
  for (const { configMap, key, sources } of bundlesOf(facts))
    made.set(configMap, { [key]: bundle(...sources.map(read)) });
  return made;
}

function kubeconfig(
  spec: KubeconfigSpec,
  facts: PkiFacts,
  contents: ReadonlyMap<string, SecretContent>,
  state: PkiState,
): string {
  const identity = contents.get(spec.identity)?.data;
  const root = contents.get('root-ca')?.data['ca.crt'];
  const named = spec.trustsNamedCertificates ? (facts.namedCertificates ?? []) : [];
  const extra = named.map((name) => pem(state.secrets.get(name)?.data?.['tls.crt']));
  const text = kubeconfigText({
    server: spec.server,
    certificateAuthority: extra.length === 0 ? (root ?? '') : encoded(bundle(pem(root), ...extra)),
    certificate: identity?.[tlsKeys.certificate] ?? '',
    key: identity?.[tlsKeys.key] ?? '',
  });
  return encoded(text);
}
