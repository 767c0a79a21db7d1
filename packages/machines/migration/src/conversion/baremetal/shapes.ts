import type { BareMetalMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import { always, list, map, object, pointer, raw, text } from '../../wire/shape.ts';
import type { Metal3MachineSpec } from './types.ts';

const secret = object({ name: text, namespace: text });
const hostSelector = object({
  matchLabels: map(text),
  matchExpressions: list(object({ key: always(text), operator: always(text), values: always(list(text)) })),
});

/** BareMetalMachineProviderSpec as it is written. */
export const baremetalProviderSpec = object<BareMetalMachineProviderSpec>({
  apiVersion: text,
  kind: text,
  metadata: map(raw),
  image: always(object({ url: always(text), checksum: always(text) })),
  customDeploy: always(object({ method: always(text) })),
  userData: pointer(secret),
  hostSelector: always(hostSelector),
});

/** The spec of a Metal3Machine as it is written. */
export const metal3MachineSpec = object<Metal3MachineSpec>({
  providerID: pointer(text),
  image: object({ url: always(text), checksum: always(text), checksumType: pointer(text), format: pointer(text) }),
  customDeploy: pointer(object({ method: always(text) })),
  userData: pointer(secret),
  hostSelector: always(hostSelector),
  dataTemplate: pointer(raw),
  metaData: pointer(secret),
  networkData: pointer(secret),
  automatedCleaningMode: pointer(text),
});
