import { type corev1, decodeYamlDocuments, isJsonObject, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { clusterApiNamespace } from '../conversion/names.ts';
import type { PlatformConversion } from '../conversion/platform-conversion.ts';
import { commonPolicies, platformPolicies } from './index.ts';
import type { AdmissionPolicy } from './policy.ts';

const label = (name: string) => `provider.cluster.x-k8s.io/${name}`;

interface Transport {
  readonly name: string;
  readonly provider: string;
  readonly type: 'core' | 'infrastructure';
  readonly version: string;
}

/** A ConfigMap that carries policies to an installer, which knows them by their labels and applies what is inside. */
function transport(
  { name, provider, type, version }: Transport,
  policies: readonly AdmissionPolicy[],
): corev1.ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: clusterApiNamespace,
      labels: { [label('name')]: provider, [label('type')]: type, [label('version')]: version },
    },
    // JSON is YAML, and this is read by machines.
    data: {
      components: policies
        .flatMap(({ policy, binding }) => [policy, binding])
        .map((object) => JSON.stringify(object, undefined, 2))
        .join('\n---\n'),
    },
  };
}

/** The ConfigMaps for a platform: what holds everywhere, and what is special about it. */
export function policyTransports(platform: PlatformConversion, version: string): readonly corev1.ConfigMap[] {
  const short = platform.installerName;
  return [
    transport(
      { name: 'cluster-api-custom-admission-policies', provider: 'openshift-cluster-api', type: 'core', version },
      commonPolicies(),
    ),
    transport(
      {
        name: `cluster-api-${short}-admission-policies`,
        provider: `openshift-cluster-api-${short}`,
        type: 'infrastructure',
        version,
      },
      platformPolicies(platform),
    ),
  ];
}

/** The objects in such a ConfigMap, whoever wrote it. */
export function readPolicyTransport({ metadata, data }: corev1.ConfigMap): readonly KubeObject[] {
  const components = data?.['components'];
  if (!components) throw new Error(`ConfigMap ${metadata.name}: provider configmap has no components data`);
  return decodeYamlDocuments(components)
    .map(({ value }) => value)
    .filter((value) => value !== null && value !== undefined)
    .map((value, index) => {
      if (!isJsonObject(value) || typeof value['kind'] !== 'string' || !isJsonObject(value['metadata']))
        throw new Error(`ConfigMap ${metadata.name}: document ${index + 1} of components is not a Kubernetes object`);
      return value as unknown as KubeObject;
    });
}
