import type { Condition, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';

export interface Web extends KubeObject {
  readonly spec: { readonly text: string; readonly secret?: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface ConfigMap extends KubeObject {
  readonly data?: { readonly [key: string]: string };
}

export const webs: ResourceType<Web> = {
  group: 'example.org',
  version: 'v1',
  kind: 'Web',
  resource: 'webs',
  namespaced: true,
};

export const configMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
};

export const secrets: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  resource: 'secrets',
  namespaced: true,
};
