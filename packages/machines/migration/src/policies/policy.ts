import type { admissionregistrationv1 } from '@hypershift-ts/kube-apimachinery';
import { clusterApiNamespace, machineApiNamespace } from '../conversion/names.ts';

type Policy = admissionregistrationv1.ValidatingAdmissionPolicy;
type Binding = admissionregistrationv1.ValidatingAdmissionPolicyBinding;

/** A rule for the API server, and where it holds. */
export interface AdmissionPolicy {
  readonly policy: Policy;
  readonly binding: Binding;
}

/** Both sides of a machine: where its objects live and what kinds they are of. */
export const sides = {
  machineApi: {
    namespace: machineApiNamespace,
    group: 'machine.openshift.io',
    version: 'v1beta1',
    title: 'Machine API',
  },
  clusterApi: {
    namespace: clusterApiNamespace,
    group: 'cluster.x-k8s.io',
    version: 'v1beta2',
    title: 'Cluster API',
  },
} as const;

export type SideName = keyof typeof sides;
export type MachineKind = 'Machine' | 'MachineSet';

export const resourceOf = (kind: MachineKind): string => `${kind.toLowerCase()}s`;

export interface Rule {
  readonly expression: string;
  readonly message?: string;
  /** CEL, where the message names something of the request. */
  readonly messageExpression?: string;
}

interface PolicyDraft {
  readonly name: string;
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  readonly resources: {
    readonly group: string;
    /** All versions when absent. */
    readonly version?: string;
    readonly names: readonly string[];
  };
  readonly namespace: string;
  /** The policy is asked once for each object of this kind; `sameName` narrows that down to the copy. */
  readonly copies?: { readonly side: SideName; readonly kind: MachineKind };
  readonly params?: Pick<NonNullable<Policy['spec']>, 'paramKind'> & Pick<NonNullable<Binding['spec']>, 'paramRef'>;
  readonly conditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: { readonly [name: string]: string };
  readonly validations: readonly Rule[];
  /** Warnings let the request pass, also when the rule itself fails. */
  readonly action?: 'Deny' | 'Warn';
}

/** The controllers that write copies. Everybody else is a user, however privileged. */
export const notTheControllers = {
  name: 'check-only-non-service-account-requests',
  expression:
    '!(request.userInfo.username in ["system:serviceaccount:openshift-machine-api:machine-api-controllers", "system:serviceaccount:openshift-cluster-api:capi-controllers"])',
};

export const sameName = { name: 'check-param-match', expression: 'object.metadata.name == params.metadata.name' };

/** Whether an update changes who should have authority. */
export const authorityChanges = 'object.spec.?authoritativeAPI != oldObject.spec.?authoritativeAPI';

export function definePolicy(draft: PolicyDraft): AdmissionPolicy {
  const { name, resources, copies, conditions = [], variables = {}, action = 'Deny' } = draft;
  const params = draft.params ?? (copies && copyParams(copies));
  return {
    policy: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: action === 'Deny' ? 'Fail' : 'Ignore',
        ...(params?.paramKind ? { paramKind: params.paramKind } : {}),
        matchConstraints: {
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          resourceRules: [
            {
              apiGroups: [resources.group],
              apiVersions: [resources.version ?? '*'],
              operations: [...draft.operations],
              resources: [...resources.names],
              scope: '*',
            },
          ],
        },
        ...(conditions.length > 0 ? { matchConditions: [...conditions] } : {}),
        variables: Object.entries(variables).map(([variable, expression]) => ({ name: variable, expression })),
        validations: [...draft.validations],
      },
    },
    binding: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        ...(params?.paramRef ? { paramRef: params.paramRef } : {}),
        matchResources: {
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': draft.namespace } },
          objectSelector: {},
        },
        validationActions: [action],
      },
    },
  };
}

/** Where there is no copy there is nothing to protect, so that is no reason to refuse. */
function copyParams({ side, kind }: NonNullable<PolicyDraft['copies']>): NonNullable<PolicyDraft['params']> {
  const { group, version, namespace } = sides[side];
  return {
    paramKind: { apiVersion: `${group}/${version}`, kind },
    paramRef: { namespace, selector: {}, parameterNotFoundAction: 'Allow' },
  };
}
