/** Who may log in. */
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedClusterCheck } from './facts.ts';
import { oidcExpressionErrors, type Provider } from './oidc-expressions.ts';

const field = 'spec.configuration.authentication';

export const validateAuthentication: HostedClusterCheck = ({ spec }) => {
  const authentication = spec.configuration?.authentication;
  if (!authentication) return [];
  const type = authentication.type ?? '';
  switch (type) {
    case '':
      return [fieldError.invalidOmitted(`${field}.type`, 'unknown type ""; must be None, IntegratedOAuth or OIDC')];
    case 'OIDC':
      return oidcErrors(spec.issuerURL, authentication.oidcProviders ?? []);
    default:
      return (authentication.oidcProviders ?? []).length === 0
        ? []
        : [fieldError.forbidden(`${field}.oidcProviders`, `type is ${type}, not OIDC`)];
  }
};

function oidcErrors(own: string | undefined, providers: readonly Provider[]): readonly FieldError[] {
  if (providers.length === 0) return [fieldError.required(`${field}.oidcProviders`, 'type is OIDC')];
  return providers.flatMap((provider, index) => {
    const at = `${field}.oidcProviders[${index}]`;
    const clash = own !== undefined && provider.issuer.issuerURL === own;
    const text = 'must differ from spec.issuerURL, which issues service account tokens';
    return [
      ...(clash ? [fieldError.invalid(`${at}.issuer.issuerURL`, own, text)] : []),
      ...oidcExpressionErrors(provider, at),
    ];
  });
}
