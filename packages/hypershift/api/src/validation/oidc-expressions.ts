/** CEL in OIDC settings: it must compile, or the API server would not start. */
import {
  BOOL,
  CelCompileError,
  type CelType,
  createEnvironment,
  DYN,
  type Environment,
  listType,
  mapType,
  objectType,
  STRING,
} from '@hypershift-ts/kube-cel';
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedClusterSpec } from './facts.ts';

type Authentication = NonNullable<NonNullable<HostedClusterSpec['configuration']>['authentication']>;
/** One OIDC provider of spec.configuration.authentication. */
export type Provider = NonNullable<Authentication['oidcProviders']>[number];

interface Expression {
  readonly field: string;
  readonly text: string | undefined;
  readonly over: 'claims' | 'user';
  readonly expect?: CelType;
}

let environments: { readonly claims: Environment; readonly user: Environment } | undefined;

/** Made once: an environment is costly and the same for every cluster. */
function environment(over: 'claims' | 'user'): Environment {
  environments ??= {
    claims: createEnvironment({ variables: { claims: mapType(STRING, DYN) } }),
    user: createEnvironment({
      variables: {
        user: objectType('kubernetes.UserInfo', {
          username: STRING,
          uid: STRING,
          groups: listType(STRING),
          extra: mapType(STRING, listType(STRING)),
        }),
      },
    }),
  };
  return environments[over];
}

function expressionsOf(provider: Provider, field: string): readonly Expression[] {
  const { username, groups, uid, extra = [] } = provider.claimMappings ?? {};
  const mappings = `${field}.claimMappings`;
  return [
    { field: `${mappings}.username.expression`, text: username?.expression, over: 'claims', expect: STRING },
    { field: `${mappings}.groups.expression`, text: groups?.expression, over: 'claims' },
    { field: `${mappings}.uid.expression`, text: uid?.expression, over: 'claims', expect: STRING },
    ...extra.map(
      ({ valueExpression }, index): Expression => ({
        field: `${mappings}.extra[${index}].valueExpression`,
        text: valueExpression,
        over: 'claims',
      }),
    ),
    ...(provider.claimValidationRules ?? []).map(
      (rule, index): Expression => ({
        field: `${field}.claimValidationRules[${index}].cel.expression`,
        text: rule.cel?.expression,
        over: 'claims',
        expect: BOOL,
      }),
    ),
    ...(provider.userValidationRules ?? []).map(
      ({ expression }, index): Expression => ({
        field: `${field}.userValidationRules[${index}].expression`,
        text: expression,
        over: 'user',
        expect: BOOL,
      }),
    ),
  ];
}

function errorOf({ field, text, over, expect }: Expression): readonly FieldError[] {
  if (!text) return [];
  try {
    environment(over).compile(text, expect ? { expect } : {});
    return [];
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return [fieldError.invalid(field, text, error.message)];
  }
}

/** What does not compile in the settings of one provider. */
export function oidcExpressionErrors(provider: Provider, field: string): readonly FieldError[] {
  return expressionsOf(provider, field).flatMap(errorOf);
}
