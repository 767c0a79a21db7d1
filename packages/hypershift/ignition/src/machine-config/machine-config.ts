import type { JsonValue, KubeObject } from '@hypershift-ts/kube-apimachinery';

/** `machineconfiguration.openshift.io/v1` MachineConfig: an Ignition config and what Ignition cannot do. */
export interface MachineConfig extends KubeObject {
  readonly spec: MachineConfigSpec;
}

export interface MachineConfigSpec {
  readonly osImageURL?: string;
  readonly baseOSExtensionsContainerImage?: string;
  /** The Ignition config as the user wrote it. */
  readonly config?: JsonValue;
  readonly kernelArguments?: readonly string[] | null;
  readonly extensions?: readonly string[] | null;
  readonly fips?: boolean;
  readonly kernelType?: string;
}

export const machineConfigVersion = 'machineconfiguration.openshift.io/v1';
export const roleLabel = 'machineconfiguration.openshift.io/role';
/** Set on configs that a controller generated; those do not choose the OS image. */
export const generatedByAnnotation = 'machineconfiguration.openshift.io/generated-by-controller-version';

export type KernelType = 'default' | 'realtime' | '64k-pages';

/** What can be installed on top of the OS image by name. */
export const supportedExtensions: ReadonlySet<string> = new Set([
  'two-node-ha',
  'ipsec',
  'usbguard',
  'kerberos',
  'kernel-devel',
  'sandboxed-containers',
  'sysstat',
]);

/** A MachineConfig for workers. */
export function workerMachineConfig(name: string, spec: MachineConfigSpec): MachineConfig {
  return {
    apiVersion: machineConfigVersion,
    kind: 'MachineConfig',
    metadata: { name, labels: { [roleLabel]: 'worker' } },
    spec,
  };
}
