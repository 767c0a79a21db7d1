import type { HostedCluster } from '@hypershift-ts/hypershift-api';

/** An object beside the HostedCluster that it names. */
export interface Reference {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  /** The field that names it, for messages. */
  readonly field: string;
}

type Configuration = NonNullable<HostedCluster['spec']['configuration']>;
type Named = { readonly name?: string | undefined } | undefined;
type Found = readonly (readonly [kind: Reference['kind'], reference: Named, field: string])[];

const secretMembers = ['tlsClientCert', 'tlsClientKey', 'clientSecret', 'bindPassword', 'fileData'];
const configMapMembers = ['ca'];

/** Providers are a union; whichever member is set, its references have the same few names. */
function ofIdentityProviders({ oauth }: Configuration): Found {
  return (oauth?.identityProviders ?? []).flatMap((provider, index): Found => {
    const members = Object.entries(provider).filter(([, value]) => typeof value === 'object' && value !== null);
    return members.flatMap(([member, settings]): Found => {
      const field = `oauth.identityProviders[${index}].${member}`;
      const named = settings as { readonly [key: string]: Named };
      return [
        ...secretMembers.map((key) => ['Secret', named[key], `${field}.${key}`] as const),
        ...configMapMembers.map((key) => ['ConfigMap', named[key], `${field}.${key}`] as const),
      ];
    });
  });
}

function ofAuthentication({ authentication }: Configuration): Found {
  const oidc = authentication?.type === 'OIDC' ? (authentication.oidcProviders ?? []) : [];
  return [
    ['ConfigMap', authentication?.oauthMetadata, 'authentication.oauthMetadata'],
    [
      'Secret',
      authentication?.webhookTokenAuthenticator?.kubeConfig,
      'authentication.webhookTokenAuthenticator.kubeConfig',
    ],
    ...oidc.flatMap(
      (provider, index): Found => [
        [
          'ConfigMap',
          provider.issuer?.issuerCertificateAuthority,
          `authentication.oidcProviders[${index}].issuer.issuerCertificateAuthority`,
        ],
        ...(provider.oidcClients ?? []).map(
          (client, at) =>
            [
              'Secret',
              client.clientSecret,
              `authentication.oidcProviders[${index}].oidcClients[${at}].clientSecret`,
            ] as const,
        ),
      ],
    ),
  ];
}

/** Every Secret and ConfigMap that `spec.configuration` names, each once. */
export function configurationReferences({ spec }: HostedCluster): readonly Reference[] {
  const { configuration } = spec;
  if (!configuration) return [];
  const { apiServer, image, oauth, proxy, scheduler } = configuration;
  const found: Found = [
    ...(apiServer?.servingCerts?.namedCertificates ?? []).map(
      (certificate, index) =>
        [
          'Secret',
          certificate.servingCertificate,
          `apiServer.servingCerts.namedCertificates[${index}].servingCertificate`,
        ] as const,
    ),
    ['ConfigMap', apiServer?.clientCA, 'apiServer.clientCA'],
    ...ofAuthentication(configuration),
    ['ConfigMap', image?.additionalTrustedCA, 'image.additionalTrustedCA'],
    ...ofIdentityProviders(configuration),
    ['Secret', oauth?.templates?.error, 'oauth.templates.error'],
    ['Secret', oauth?.templates?.login, 'oauth.templates.login'],
    ['Secret', oauth?.templates?.providerSelection, 'oauth.templates.providerSelection'],
    ['ConfigMap', proxy?.trustedCA, 'proxy.trustedCA'],
    ['ConfigMap', scheduler?.policy, 'scheduler.policy'],
  ];
  const unique = new Map<string, Reference>();
  for (const [kind, reference, field] of found) {
    const name = reference?.name;
    if (name && !unique.has(`${kind}/${name}`))
      unique.set(`${kind}/${name}`, { kind, name, field: `spec.configuration.${field}` });
  }
  return [...unique.values()];
}
