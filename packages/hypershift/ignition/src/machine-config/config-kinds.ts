import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { canonicalQuantity } from '@hypershift-ts/kube-apimachinery';
import { goYaml } from '../go-encoding/go-yaml.ts';
import { roleLabel } from './machine-config.ts';
import type { TypedFields } from './typed-fields.ts';
import { DecodeFailure, field, listOfStructs, pointerTo, typed } from './typed-fields.ts';

const objectMeta: TypedFields = {
  name: field.optional.string,
  generateName: field.optional.string,
  namespace: field.optional.string,
  selfLink: field.optional.string,
  uid: field.optional.string,
  resourceVersion: field.optional.string,
  generation: field.optional.int,
  // Kept as null, because the hash formula was fixed when Kubernetes still wrote it so.
  creationTimestamp: { read: (value) => (value === '1970-01-01T00:00:00Z' ? null : value), absent: null },
  deletionTimestamp: field.optional.string,
  deletionGracePeriodSeconds: field.optional.int,
  labels: field.optional.textMap,
  annotations: field.optional.textMap,
  ownerReferences: field.optional.list,
  finalizers: field.optional.strings,
  managedFields: field.optional.list,
};

const quantity = {
  read: (value: JsonValue, path: string): JsonValue => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new DecodeFailure(
        `json: cannot unmarshal ${typeof value} into Go struct field ${path} of type resource.Quantity`,
      );
    return canonicalQuantity(value);
  },
};

const tlsProfile = pointerTo({
  type: field.string,
  old: pointerTo({}),
  intermediate: pointerTo({}),
  modern: pointerTo({}),
  custom: pointerTo({ ciphers: field.strings, groups: field.optional.strings, minTLSVersion: field.string }),
});
const storePaths = listOfStructs({ path: field.optional.string });
const status = {
  read: (value: JsonValue, path: string) => typed(value, statusFields, path),
  absent: { conditions: null },
};
const statusFields: TypedFields = { observedGeneration: field.optional.int, conditions: field.raw };
const builtInPools: JsonObject = { matchLabels: { 'machineconfiguration.openshift.io/mco-built-in': '' } };

const machineConfigFields: TypedFields = {
  osImageURL: field.string,
  baseOSExtensionsContainerImage: field.string,
  config: field.raw,
  kernelArguments: field.strings,
  extensions: field.strings,
  fips: field.bool,
  kernelType: field.string,
};
const kubeletConfigFields: TypedFields = {
  autoSizingReserved: field.optional.bool,
  logLevel: field.optional.int,
  kubeletConfig: field.optional.raw,
  tlsSecurityProfile: tlsProfile,
};
const containerRuntimeConfigFields: TypedFields = {
  containerRuntimeConfig: pointerTo({
    pidsLimit: field.optional.int,
    logLevel: field.optional.string,
    logSizeMax: quantity,
    overlaySize: quantity,
    defaultRuntime: field.optional.string,
    additionalLayerStores: storePaths,
    additionalImageStores: storePaths,
    additionalArtifactStores: storePaths,
  }),
};

type Reencode = (raw: JsonObject) => JsonObject;

const withSelector =
  (spec: TypedFields, goStruct: string): Reencode =>
  (raw) => ({
    ...identity(raw),
    spec: { ...typed(raw['spec'], spec, `${goStruct}.spec`), machineConfigPoolSelector: builtInPools },
    status: status.read(raw['status'] ?? null, 'status'),
  });

function identity(raw: JsonObject): JsonObject {
  return {
    apiVersion: raw['apiVersion'] ?? '',
    kind: raw['kind'] ?? '',
    metadata: typed(raw['metadata'], objectMeta, 'metadata'),
  };
}

/** Every worker config carries the role of workers, whatever the user wrote. */
const asWorker: Reencode = (raw) => {
  const object = identity(raw);
  const metadata = object['metadata'] as JsonObject;
  const labels = { ...(metadata['labels'] as JsonObject | undefined), [roleLabel]: 'worker' };
  return {
    ...object,
    metadata: { ...metadata, labels },
    spec: typed(raw['spec'], machineConfigFields, 'MachineConfigSpec.spec'),
  };
};

/**
 * The kinds that a NodePool's config may hold. Those with a function are normalised before they are hashed; the others
 * count letter for letter.
 */
const kinds: Readonly<Record<string, Reencode | 'verbatim'>> = {
  'machineconfiguration.openshift.io/v1 MachineConfig': asWorker,
  'machineconfiguration.openshift.io/v1 KubeletConfig': withSelector(kubeletConfigFields, 'KubeletConfigSpec'),
  'machineconfiguration.openshift.io/v1 ContainerRuntimeConfig': withSelector(
    containerRuntimeConfigFields,
    'ContainerRuntimeConfigSpec',
  ),
  'operator.openshift.io/v1alpha1 ImageContentSourcePolicy': 'verbatim',
  'config.openshift.io/v1 ImageDigestMirrorSet': 'verbatim',
  'config.openshift.io/v1 ClusterImagePolicy': 'verbatim',
};
const knownVersions = new Set([
  'machineconfiguration.openshift.io/v1',
  'operator.openshift.io/v1alpha1',
  'config.openshift.io/v1',
  'config.openshift.io/v1alpha1',
]);

/** The text of a config document as it is hashed and stored. Throws DecodeFailure with the reason. */
export function normalisedDocument(text: string, raw: JsonObject): string {
  const apiVersion = typeof raw['apiVersion'] === 'string' ? raw['apiVersion'] : '';
  const kind = typeof raw['kind'] === 'string' ? raw['kind'] : '';
  if (kind === '') throw new DecodeFailure(`error decoding config: Object 'Kind' is missing in '${excerpt(text)}'`);
  if (apiVersion === '')
    throw new DecodeFailure(`error decoding config: Object 'apiVersion' is missing in '${excerpt(text)}'`);
  const how = kinds[`${apiVersion} ${kind}`];
  if (how === 'verbatim') return text;
  if (how) {
    try {
      return goYaml(how(raw));
    } catch (error) {
      throw new DecodeFailure(`error decoding config: ${(error as Error).message}`, { cause: error });
    }
  }
  if (knownVersions.has(apiVersion))
    throw new DecodeFailure(`unsupported config type: *${apiVersion.split('/')[1]}.${kind}; ${supportedKinds}`);
  throw new DecodeFailure(
    `error decoding config: no kind "${kind}" is registered for version "${apiVersion}" in scheme; ${supportedKinds}`,
  );
}

/** Enough to recognise the document; the rest may hold what does not belong into a condition. */
const excerpt = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);

const supportedKinds = `use one of ${Object.keys(kinds)
  .map((kind) => kind.split(' ')[1])
  .join(', ')}`;
