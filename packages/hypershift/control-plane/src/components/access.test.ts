import type { rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { manifestObject } from '../framework/manifest.ts';
import { testContext, testRelease } from '../testing/context.ts';
import { capiProvider } from './capi-provider/component.ts';
import { clusterApi } from './cluster-api/component.ts';
import { controlPlaneOperatorRules, handedOn } from './control-plane-operator/rules.ts';
import { controlPlaneComponentList } from './registry.ts';

const release = await testRelease();
const contexts = ['None', 'AWS', 'Azure', 'GCP', 'KubeVirt', 'OpenStack', 'PowerVS'].map((platform) =>
  testContext({ release, platform }),
);

/** Roles of components, whether or not a platform or a choice leaves them out. */
function rolesOf(components: readonly (typeof clusterApi)[]): readonly { name: string; rules: rbacv1.PolicyRule[] }[] {
  return components.flatMap(({ name, manifests }) =>
    contexts.flatMap((context) =>
      manifests
        .filter(({ type }) => type.kind === 'Role')
        .map((manifest) => {
          const { rules } = manifestObject(manifest, context, undefined) as unknown as rbacv1.Role;
          return { name, rules: [...(rules ?? [])] };
        }),
    ),
  );
}

/** `apps/deployments get`, one for each right that a rule gives. */
function rightsOf({ apiGroups = [], resources = [], verbs }: rbacv1.PolicyRule): readonly string[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
  );
}

const byTheOperator = rolesOf(controlPlaneComponentList);
const provider = capiProvider({ pod: () => ({ containers: [] }) });
const everybody = [
  ...byTheOperator,
  ...rolesOf([clusterApi, provider]),
  { name: 'control-plane-operator', rules: [...controlPlaneOperatorRules] },
];

/** Kinds that nobody but a provider of infrastructure or a release of Cluster API can name. */
const openGroups: Readonly<Record<string, readonly string[]>> = {
  'cluster-api': [],
  'capi-provider': ['infrastructure.cluster.x-k8s.io', 'cluster.x-k8s.io'],
  'cluster-autoscaler': ['infrastructure.cluster.x-k8s.io'],
  'control-plane-operator': ['infrastructure.cluster.x-k8s.io'],
};

describe('roles of a control plane', () => {
  it('When the operator makes the role of a component, it should have every right in it itself', () => {
    const held = new Set(controlPlaneOperatorRules.flatMap(rightsOf));
    const missing = byTheOperator.flatMap(({ name, rules }) =>
      rules
        .flatMap(rightsOf)
        .filter((right) => !held.has(right))
        .map((right) => `${name}: ${right}`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  it('When the operator has a right only to hand it on, some component should get it', () => {
    const given = new Set(byTheOperator.flatMap(({ rules }) => rules.flatMap(rightsOf)));
    expect(handedOn.flatMap(rightsOf).filter((right) => !given.has(right))).toEqual([]);
  });

  it('When a rule is given, it should name its verbs', () => {
    expect(everybody.filter(({ rules }) => rules.some(({ verbs }) => verbs.includes('*')))).toEqual([]);
  });

  it('When a rule is for any resource, its group should be one whose kinds others choose', () => {
    const open = everybody.flatMap(({ name, rules }) =>
      rules
        .filter(({ resources = [] }) => resources.includes('*'))
        .map(({ apiGroups = [] }) => [name, apiGroups] as const),
    );
    const unexpected = open.filter(
      ([name, groups]) => name !== 'cluster-api' && !groups.every((group) => (openGroups[name] ?? []).includes(group)),
    );
    expect(unexpected).toEqual([]);
    const ofClusterApi = open.filter(([name]) => name === 'cluster-api').flatMap(([, groups]) => groups);
    expect(ofClusterApi.filter((group) => !/cluster\.x-k8s\.io$|^capi-provider\./.test(group))).toEqual([]);
  });
});
