import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import { identityProvidersOf, openIdIssuers } from '../../components/oauth-openshift/identity-providers.ts';
import { isOAuthEnabled } from '../../framework/cluster-facts.ts';
import { componentContext, type Pass } from '../pass.ts';

/** Whether users can log in with what the owner configured; a wrong provider is reported and stops nothing. */
export const identityProviders: Step<Pass> = {
  name: 'identity-providers',
  kind: 'best-effort',
  run(pass) {
    if (!isOAuthEnabled(pass)) return done();
    pass.openIdEndpoints = discovered(pass);
    const { problems } = identityProvidersOf(componentContext(pass));
    const type = 'ValidIDPConfiguration';
    pass.found.push(
      problems.length === 0
        ? {
            type,
            status: 'True',
            reason: 'IDPConfigurationValid',
            message: 'Identity provider configuration is valid',
          }
        : {
            type,
            status: 'False',
            reason: 'IDPConfigurationError',
            message: `failed to initialize identity providers: ${problems.join('; ')}`,
          },
    );
    return done();
  },
};

/** What issuers published, as far as they have answered; asks those that have not. */
function discovered(pass: Pass): NonNullable<Pass['openIdEndpoints']> {
  const { lookup, upkeep } = pass;
  const found: Record<string, NonNullable<Pass['openIdEndpoints']>[string]> = {};
  for (const { issuer, ca } of openIdIssuers(pass)) {
    const authorities = ca ? lookup.get(corev1.configmaps, ca)?.data?.['ca.crt'] : undefined;
    const sight = upkeep.outlook.look(`openid ${issuer}`, issuer, authorities ?? '', async (signal) => {
      upkeep.openId.set(issuer, await upkeep.checks.openIdEndpoints(issuer, authorities, signal));
      return undefined;
    });
    const known = upkeep.openId.get(issuer);
    if (known) found[issuer] = known;
    else if (sight.known && sight.failure !== undefined) found[issuer] = new Error(sight.failure);
  }
  return found;
}
