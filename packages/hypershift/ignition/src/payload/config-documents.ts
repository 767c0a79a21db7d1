import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { splitDocuments } from '../machine-config/documents.ts';
import type { MachineConfig } from '../machine-config/machine-config.ts';
import { ConfigKindError, goText } from './document-fields.ts';

/** A pool's documents by what they are. */
export interface ConfigDocuments {
  readonly machineConfigs: readonly MachineConfig[];
  readonly kubeletConfig: JsonObject | undefined;
  readonly containerRuntimeConfigs: readonly JsonObject[];
  /** ImageDigestMirrorSets and ImageContentSourcePolicies. */
  readonly mirrorSets: readonly JsonObject[];
  readonly imagePolicies: readonly JsonObject[];
}

/** Reads what rawConfig() wrote. */
export function configDocuments(rawConfig: string): ConfigDocuments {
  const objects = splitDocuments(rawConfig).flatMap((text) => {
    const { value } = decodeYaml(text, { maxLength: 16 * 1024 * 1024 });
    return isJsonObject(value) ? [value] : [];
  });
  const ofKind = (...kinds: readonly string[]) => objects.filter(({ kind }) => kinds.includes(goText(kind)));
  const kubeletConfigs = ofKind('KubeletConfig');
  if (kubeletConfigs.length > 1)
    throw new ConfigKindError(
      `there should be only one KubeletConfig per NodePool, found ${kubeletConfigs.length}; merge them into one`,
    );
  return {
    // Typed when the document was normalised.
    machineConfigs: ofKind('MachineConfig') as unknown as readonly MachineConfig[],
    kubeletConfig: kubeletConfigs[0],
    containerRuntimeConfigs: ofKind('ContainerRuntimeConfig'),
    mirrorSets: ofKind('ImageDigestMirrorSet', 'ImageContentSourcePolicy'),
    imagePolicies: ofKind('ClusterImagePolicy'),
  };
}
