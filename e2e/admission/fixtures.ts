import type { ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

const admissionregistration = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };

type TypeName =
  | 'policies'
  | 'bindings'
  | 'mutatingPolicies'
  | 'mutatingBindings'
  | 'validatingWebhooks'
  | 'mutatingWebhooks'
  | 'definitions'
  | 'namespaces'
  | 'configMaps'
  | 'pods';

/** The kinds admission is configured with, and what it is about in these tests. */
export const admissionTypes: Readonly<Record<TypeName, ResourceType>> = {
  policies: { ...admissionregistration, kind: 'ValidatingAdmissionPolicy', resource: 'validatingadmissionpolicies' },
  bindings: {
    ...admissionregistration,
    kind: 'ValidatingAdmissionPolicyBinding',
    resource: 'validatingadmissionpolicybindings',
  },
  mutatingPolicies: {
    ...admissionregistration,
    kind: 'MutatingAdmissionPolicy',
    resource: 'mutatingadmissionpolicies',
  },
  mutatingBindings: {
    ...admissionregistration,
    kind: 'MutatingAdmissionPolicyBinding',
    resource: 'mutatingadmissionpolicybindings',
  },
  validatingWebhooks: {
    ...admissionregistration,
    kind: 'ValidatingWebhookConfiguration',
    resource: 'validatingwebhookconfigurations',
  },
  mutatingWebhooks: {
    ...admissionregistration,
    kind: 'MutatingWebhookConfiguration',
    resource: 'mutatingwebhookconfigurations',
  },
  definitions: {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    resource: 'customresourcedefinitions',
    namespaced: false,
  },
  namespaces: { group: '', version: 'v1', kind: 'Namespace', resource: 'namespaces', namespaced: false },
  configMaps: { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true },
  pods: { group: '', version: 'v1', kind: 'Pod', resource: 'pods', namespaced: true },
};

/** A definition that lets any content through, with a status of its own. */
export function definitionOf(group: string, version: string, plural: string, kind: string): UnstructuredObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
}

export async function createNamespaces(
  client: Client,
  names: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const name of names)
    await client.create(admissionTypes.namespaces, { metadata: { name, labels } } as unknown as UnstructuredObject);
  for (const name of names)
    await client.create(
      { group: '', version: 'v1', kind: 'ServiceAccount', resource: 'serviceaccounts', namespaced: true },
      { metadata: { name: 'default', namespace: name } } as unknown as UnstructuredObject,
    );
}

/** Waits until a list of this path answers, at most a few seconds. */
export async function waitUntilServed(client: Client, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.raw('GET', path);
      return;
    } catch (error) {
      if (attempt >= 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
