import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

export const rbacGroup = 'rbac.authorization.k8s.io';
export const rbacApiVersion = 'rbac.authorization.k8s.io/v1';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
}

export interface ClusterRole extends Role {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface Binding extends KubeObject {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | null;
}
