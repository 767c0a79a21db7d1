import { corev1, decodeYaml, isJsonObject, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { createOrUpdate } from '@hypershift-ts/kube-controller';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { type ProcessDirectory, programLog, serviceAccountClient } from '@hypershift-ts/kube-programs';

/**
 * `control-plane-operator sync-fg-configmap`: writes the feature gates of a version to ConfigMap feature-gate. An
 * embedded release has no gates of its own, so those the user named are all there are.
 */
export function syncFeatureGates(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const { NAMESPACE: namespace = '', PAYLOAD_VERSION: version = '', FEATURE_GATE_YAML: text = '{}' } = context.env;
    const client = serviceAccountClient(context, directory, 'sync-fg-configmap');
    try {
      const data = { 'feature-gate.yaml': JSON.stringify(withStatus(decodeYaml(text).value, version)) };
      const key = { namespace, name: 'feature-gate' };
      const { operation } = await createOrUpdate(client, corev1.configmaps, key, { metadata: key, data });
      programLog(context).info({ version }, `ConfigMap ${namespace}/feature-gate ${operation}`);
    } finally {
      await client.close();
    }
  };
}

/** The FeatureGate with the status a render of its version would have. */
export function withStatus(document: unknown, version: string): JsonObject {
  const gate = isJsonObject(document) ? document : {};
  const spec = isJsonObject(gate['spec']) ? gate['spec'] : {};
  const custom = isJsonObject(spec['customNoUpgrade']) ? spec['customNoUpgrade'] : {};
  const names = (list: unknown): JsonObject[] =>
    Array.isArray(list) ? list.filter((name) => typeof name === 'string').map((name) => ({ name })) : [];
  return {
    ...gate,
    status: { featureGates: [{ version, enabled: names(custom['enabled']), disabled: names(custom['disabled']) }] },
  };
}
