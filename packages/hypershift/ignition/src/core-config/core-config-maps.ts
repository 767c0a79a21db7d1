import type { corev1, JsonObject } from '@hypershift-ts/kube-apimachinery';
import { goYaml } from '../go-encoding/go-yaml.ts';
import { machineConfigVersion, roleLabel } from '../machine-config/machine-config.ts';

/** Marks the ConfigMaps that every pool of a cluster includes. */
export const coreConfigLabel = 'hypershift.openshift.io/core-ignition-config';
export const imageContentSourceConfigMap = 'ignition-config-40-image-content-source';

export interface CoreConfigInputs {
  /** The control plane namespace. */
  readonly namespace: string;
  readonly fips: boolean;
  /** One public key, or several lines of them as the user gave them; empty when there is none. */
  readonly sshKey: string;
  readonly imageContentSources: readonly { readonly source: string; readonly mirrors?: readonly string[] }[];
}

/**
 * The ConfigMaps that a control plane writes for its pools. The one with mirrors exists only when there are any, and is
 * counted letter for letter by the rollout hash.
 */
export function coreConfigMaps(inputs: CoreConfigInputs): corev1.ConfigMap[] {
  const configMap = (name: string, config: string): corev1.ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: inputs.namespace, labels: { [coreConfigLabel]: 'true' } },
    data: { config },
  });
  const user = { name: 'core', ...(inputs.sshKey === '' ? {} : { sshAuthorizedKeys: [inputs.sshKey] }) };
  const ssh = { ignition: { version: '3.2.0' }, passwd: { users: [user] } };
  return [
    configMap('ignition-config-fips', machineConfig('30-fips', { config: null, fips: inputs.fips })),
    configMap('ignition-config-worker-ssh', machineConfig('99-worker-ssh', { config: ssh, fips: false })),
    ...(inputs.imageContentSources.length > 0 ? [configMap(imageContentSourceConfigMap, mirrorSet(inputs))] : []),
  ];
}

function machineConfig(name: string, spec: JsonObject): string {
  return goYaml({
    apiVersion: machineConfigVersion,
    kind: 'MachineConfig',
    metadata: { labels: { [roleLabel]: 'worker' }, name },
    spec: {
      baseOSExtensionsContainerImage: '',
      extensions: null,
      kernelArguments: null,
      kernelType: '',
      osImageURL: '',
      ...spec,
    },
  });
}

function mirrorSet({ imageContentSources }: CoreConfigInputs): string {
  return goYaml({
    apiVersion: 'config.openshift.io/v1',
    kind: 'ImageDigestMirrorSet',
    metadata: { labels: { [roleLabel]: 'worker' }, name: 'cluster' },
    spec: {
      imageDigestMirrors: imageContentSources.map(({ source, mirrors = [] }) => ({
        source,
        mirrors: mirrors.length > 0 ? mirrors : undefined,
      })),
    },
    status: {},
  });
}
