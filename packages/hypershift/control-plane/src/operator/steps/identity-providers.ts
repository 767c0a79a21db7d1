import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import { isOAuthEnabled } from '../../framework/cluster-facts.ts';
import type { Lookup } from '../../framework/context.ts';
import type { Pass } from '../pass.ts';

/** Whether users can log in with what the owner configured; a wrong provider is reported and stops nothing. */
export const identityProviders: Step<Pass> = {
  name: 'identity-providers',
  kind: 'best-effort',
  run(pass) {
    if (!isOAuthEnabled(pass)) return done();
    const problems = providerProblems(pass.hcp.spec.configuration?.oauth?.identityProviders ?? [], pass.lookup);
    pass.found.push(
      problems.length === 0
        ? {
            type: 'ValidIDPConfiguration',
            status: 'True',
            reason: 'IDPConfigurationValid',
            message: 'Identity provider configuration is valid',
          }
        : {
            type: 'ValidIDPConfiguration',
            status: 'False',
            reason: 'IDPConfigurationError',
            message: `failed to initialize identity providers: ${problems.join('; ')}`,
          },
    );
    return done();
  },
};

type Providers = NonNullable<
  NonNullable<NonNullable<Pass['hcp']['spec']['configuration']>['oauth']>['identityProviders']
>;
type Provider = Providers[number];

/** Which Secret keys each kind of provider needs, by the field that names the Secret. */
const secretKeys: Readonly<Record<string, string>> = {
  fileData: 'htpasswd',
  clientSecret: 'clientSecret',
  bindPassword: 'bindPassword',
  tlsClientCert: 'tls.crt',
  tlsClientKey: 'tls.key',
};

/** What is missing for the providers to work, one line each. */
export function providerProblems(providers: readonly Provider[], lookup: Lookup): readonly string[] {
  const names = providers.map(({ name }) => name ?? '');
  return providers.flatMap((provider, i) => {
    const name = provider.name ?? '';
    const say = (text: string): string => `failed to apply IDP ${name} config: ${text}`;
    if (names.indexOf(name) !== i) return [say('another provider has the same name')];
    const settings = settingsOf(provider);
    if (!settings) return [say(`type ${JSON.stringify(provider.type ?? '')} needs its settings beside it`)];
    return [...missingSecrets(settings, lookup), ...missingBundle(settings, lookup)].map(say);
  });
}

/** `type: LDAP` has its settings in `ldap`, `HTPasswd` in `htpasswd`: the field is the type in small letters. */
function settingsOf(provider: Provider): Readonly<Record<string, unknown>> | undefined {
  const wanted = (provider.type ?? '').toLowerCase();
  const entry = Object.entries(provider).find(([field]) => field.toLowerCase() === wanted);
  return entry?.[1] as Readonly<Record<string, unknown>> | undefined;
}

const nameIn = (value: unknown): string => (value as { readonly name?: string } | undefined)?.name ?? '';

function missingSecrets(settings: Readonly<Record<string, unknown>>, lookup: Lookup): readonly string[] {
  return Object.entries(secretKeys).flatMap(([field, key]) => {
    const name = nameIn(settings[field]);
    if (name === '') return field === 'fileData' && field in settings ? ['fileData names no Secret'] : [];
    const secret = lookup.get(corev1.secrets, name);
    if (!secret) return [`Secret ${name} of ${field} does not exist`];
    return secret.data?.[key] === undefined ? [`Secret ${name} of ${field} lacks the key ${key}`] : [];
  });
}

function missingBundle(settings: Readonly<Record<string, unknown>>, lookup: Lookup): readonly string[] {
  const name = nameIn(settings['ca']);
  if (name === '') return [];
  const bundle = lookup.get(corev1.configmaps, name);
  if (!bundle) return [`ConfigMap ${name} of ca does not exist`];
  return bundle.data?.['ca.crt'] === undefined ? [`ConfigMap ${name} of ca lacks the key ca.crt`] : [];
}
