import type { PowerVSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { ibmcloudv1beta2 } from '@hypershift-ts/machines-providers';
import { always, list, map, number, numberOrText, object, pointer, raw, text } from '../../wire/shape.ts';

const resource = object({ type: text, id: pointer(text), name: pointer(text), regex: pointer(text) });
const secret = object({ name: text });

/** PowerVSMachineProviderConfig as it is written. */
export const powervsProviderSpec = object<PowerVSMachineProviderConfig>({
  apiVersion: text,
  kind: text,
  metadata: map(raw),
  userDataSecret: pointer(secret),
  credentialsSecret: pointer(secret),
  serviceInstance: always(resource),
  image: always(resource),
  network: always(resource),
  keyPairName: always(text),
  systemType: text,
  processorType: text,
  processors: always(numberOrText),
  memoryGiB: number,
  loadBalancers: list(object({ name: always(text), type: always(text) })),
});

const reference = object({ id: pointer(text), name: pointer(text), regex: pointer(text) });

/** The spec of an IBMPowerVSMachine as it is written. */
export const powervsMachineSpec = object<ibmcloudv1beta2.IBMPowerVSMachineSpec>({
  serviceInstanceID: always(text),
  serviceInstance: pointer(reference),
  sshKey: text,
  image: pointer(reference),
  imageRef: pointer(object({ name: text })),
  systemType: text,
  processorType: text,
  processors: always(numberOrText),
  memoryGiB: number,
  network: always(reference),
  providerID: pointer(text),
});
