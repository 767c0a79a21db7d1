import { annotationPrefixes } from '@hypershift-ts/hypershift-api';
import { corev1, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { configMapVolume, secretVolume, type VolumeDeclaration } from '../../framework/pod.ts';

type Providers = NonNullable<
  NonNullable<NonNullable<ControlPlaneContext['hcp']['spec']['configuration']>['oauth']>['identityProviders']
>;
type Provider = Providers[number];
type Settings = Readonly<Record<string, unknown>>;
type Facts = Pick<ControlPlaneContext, 'hcp' | 'lookup' | 'openIdEndpoints'>;

/** Identity providers as the OAuth server reads them, with the files they need; what is wrong with the others. */
export interface IdentityProviders {
  readonly converted: readonly object[];
  readonly volumes: Readonly<Record<string, VolumeDeclaration>>;
  readonly mounts: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

interface Kind {
  readonly kind: string;
  readonly challenge: boolean | ((settings: Settings) => boolean);
  readonly login?: (settings: Settings) => boolean;
  /** Settings that are taken over as they are. */
  readonly plain: readonly string[];
  /** Field of the server's configuration to the setting that names a Secret or ConfigMap with it. */
  readonly files?: Readonly<Record<string, FileSource>>;
  readonly fixed?: object;
}

interface FileSource {
  readonly setting: string;
  /** Part of the volume's name. */
  readonly part: string;
  readonly key: string;
  readonly from?: 'ConfigMap';
  /** The server wants `{ file: path }` instead of the path. */
  readonly wrapped?: true;
  readonly required?: true;
}

const ca: FileSource = { setting: 'ca', part: 'ca', key: 'ca.crt', from: 'ConfigMap' };
const clientSecret: FileSource = {
  setting: 'clientSecret',
  part: 'client-secret',
  key: 'clientSecret',
  wrapped: true,
  required: true,
};
const clientCertificate = {
  certFile: { setting: 'tlsClientCert', part: 'tls-client-cert', key: 'tls.crt' },
  keyFile: { setting: 'tlsClientKey', part: 'tls-client-key', key: 'tls.key' },
} as const;

/** How each type of the API is called and configured at the OAuth server. */
const kinds: Readonly<Record<string, Kind>> = {
  BasicAuth: {
    kind: 'BasicAuthPasswordIdentityProvider',
    challenge: true,
    plain: ['url'],
    files: { ca, ...clientCertificate },
  },
  GitHub: {
    kind: 'GitHubIdentityProvider',
    challenge: false,
    plain: ['clientID', 'organizations', 'teams', 'hostname'],
    files: { clientSecret, ca },
  },
  GitLab: {
    kind: 'GitLabIdentityProvider',
    challenge: true,
    plain: ['url', 'clientID'],
    files: { clientSecret, ca },
    fixed: { legacy: false },
  },
  Google: {
    kind: 'GoogleIdentityProvider',
    challenge: false,
    plain: ['clientID', 'hostedDomain'],
    files: { clientSecret },
  },
  HTPasswd: {
    kind: 'HTPasswdPasswordIdentityProvider',
    challenge: true,
    plain: [],
    files: { file: { setting: 'fileData', part: 'file-data', key: 'htpasswd', required: true } },
  },
  Keystone: {
    kind: 'KeystonePasswordIdentityProvider',
    challenge: true,
    plain: ['url', 'domainName'],
    files: { ca, ...clientCertificate },
    fixed: { useKeystoneIdentity: true },
  },
  LDAP: {
    kind: 'LDAPPasswordIdentityProvider',
    challenge: true,
    plain: ['url', 'bindDN', 'insecure', 'attributes'],
    files: { bindPassword: { setting: 'bindPassword', part: 'bind-password', key: 'bindPassword', wrapped: true }, ca },
  },
  OpenID: {
    kind: 'OpenIDIdentityProvider',
    challenge: false,
    plain: ['clientID', 'extraScopes', 'extraAuthorizeParameters'],
    files: { clientSecret, ca },
  },
  RequestHeader: {
    kind: 'RequestHeaderIdentityProvider',
    challenge: ({ challengeURL }) => Boolean(challengeURL),
    login: ({ loginURL }) => Boolean(loginURL),
    plain: [
      'loginURL',
      'challengeURL',
      'clientCommonNames',
      'headers',
      'preferredUsernameHeaders',
      'nameHeaders',
      'emailHeaders',
    ],
    files: { clientCA: { ...ca, required: true } },
  },
};

/** Everything the OAuth server must know about where users come from. A wrong provider leaves the others alone. */
export function identityProvidersOf(facts: Facts): IdentityProviders {
  const providers = facts.hcp.spec.configuration?.oauth?.identityProviders ?? [];
  const converted: object[] = [];
  const problems: string[] = [];
  const volumes: Record<string, VolumeDeclaration> = {};
  const mounts: Record<string, string> = {};
  providers.forEach((provider, index) => {
    const name = provider.name ?? '';
    try {
      if (providers.findIndex((other) => other.name === provider.name) !== index)
        throw new Error('another provider has the same name');
      const one = convert(provider, index, facts);
      converted.push(one.provider);
      Object.assign(volumes, one.volumes);
      Object.assign(mounts, one.mounts);
    } catch (error) {
      problems.push(`failed to apply IDP ${name} config: ${(error as Error).message}`);
    }
  });
  return { converted, volumes, mounts, problems };
}

function convert(provider: Provider, index: number, facts: Facts) {
  const { name = '', type = '', mappingMethod } = provider;
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (!kind) throw new Error(`the identity provider type '${type}' is not supported`);
  const settings = settingsOf(provider, type);
  if (!settings) throw new Error(`type ${type} was specified, but its configuration is missing`);
  const files = filesOf(kind, settings, index, facts);
  const special = type === 'OpenID' ? openId(name, settings, facts) : {};
  const { challenge: overridden, ...fields } = special as { readonly challenge?: boolean };
  const challenge = overridden ?? (typeof kind.challenge === 'function' ? kind.challenge(settings) : kind.challenge);
  return {
    provider: {
      name,
      challenge,
      login: kind.login?.(settings) ?? true,
      mappingMethod: mappingMethod || 'claim',
      provider: {
        apiVersion: 'osin.config.openshift.io/v1',
        kind: kind.kind,
        ...Object.fromEntries(kind.plain.map((field) => [field, settings[field]])),
        ...files.fields,
        ...kind.fixed,
        ...fields,
      },
    },
    volumes: files.volumes,
    mounts: files.mounts,
  };
}

/** `type: LDAP` has its settings in `ldap`, `HTPasswd` in `htpasswd`: the field is the type in small letters. */
function settingsOf(provider: Provider, type: string): Settings | undefined {
  const entry = Object.entries(provider).find(([field]) => field.toLowerCase() === type.toLowerCase());
  return entry?.[1] as Settings | undefined;
}

function filesOf(kind: Kind, settings: Settings, index: number, { lookup }: Facts) {
  const fields: Record<string, unknown> = {};
  const volumes: Record<string, VolumeDeclaration> = {};
  const mounts: Record<string, string> = {};
  for (const [field, { setting, part, key, from, wrapped, required }] of Object.entries(kind.files ?? {})) {
    const name = (settings[setting] as { readonly name?: string } | undefined)?.name ?? '';
    if (name === '') {
      if (required) throw new Error(`${setting} names no ${from ?? 'Secret'}`);
      continue;
    }
    const found = from ? lookup.get(corev1.configmaps, name) : lookup.get(corev1.secrets, name);
    if (!found) throw new Error(`${from ?? 'Secret'} ${name} of ${setting} does not exist`);
    if (found.data?.[key] === undefined)
      throw new Error(`${from ?? 'Secret'} ${name} of ${setting} lacks the key ${key}`);
    const short = from ? 'cm' : 'secret';
    const volume = `idp-${short}-${index}-${part}`;
    volumes[volume] = from ? configMapVolume(name) : secretVolume(name);
    mounts[volume] = `/etc/oauth/idp/idp_${short}_${index}_${part}`;
    const path = `${mounts[volume]}/${key}`;
    fields[field] = wrapped ? { file: path } : path;
  }
  return { fields, volumes, mounts };
}

/** Where an OpenID provider is asked: as an annotation says, else as the provider itself published. */
function openId(name: string, settings: Settings, { hcp, openIdEndpoints }: Facts): object {
  const text = hcp.metadata.annotations?.[`${annotationPrefixes.idpOverrides.prefix}${name}`];
  if (text !== undefined) return overrideIn(text);
  const issuer = issuerOf(settings);
  const endpoints = openIdEndpoints?.[issuer];
  if (!endpoints) throw new Error(`the discovery document of issuer ${issuer} has not been read yet`);
  if (endpoints instanceof Error) throw endpoints;
  const { preferredUsername, name: names, email, groups } = (settings['claims'] ?? {}) as Settings;
  return { urls: endpoints, claims: { id: ['sub'], preferredUsername, name: names, email, groups } };
}

function overrideIn(text: string): object {
  const override: unknown = JSON.parse(text);
  if (!isJsonObject(override)) throw new Error('its override annotation is not a JSON object');
  const { urls, claims, challenge } = override;
  return { urls, claims, ...(typeof challenge === 'boolean' ? { challenge } : {}) };
}

export function issuerOf(settings: Settings): string {
  const { issuer } = settings;
  return typeof issuer === 'string' ? issuer.replace(/\/+$/, '') : '';
}

/** Issuers whose discovery documents are needed, with the ConfigMap of the authorities that vouch for them. */
export function openIdIssuers({
  hcp,
}: Pick<Facts, 'hcp'>): readonly { readonly issuer: string; readonly ca?: string }[] {
  return (hcp.spec.configuration?.oauth?.identityProviders ?? []).flatMap((provider) => {
    const settings = provider.type === 'OpenID' ? settingsOf(provider, 'OpenID') : undefined;
    const isOverridden =
      hcp.metadata.annotations?.[`${annotationPrefixes.idpOverrides.prefix}${provider.name}`] !== undefined;
    if (!settings || isOverridden) return [];
    const bundle = (settings['ca'] as { readonly name?: string } | undefined)?.name;
    return [{ issuer: issuerOf(settings), ...(bundle ? { ca: bundle } : {}) }];
  });
}
