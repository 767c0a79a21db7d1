import { dataUrl } from '../spec/data-url.ts';
import type { IgnitionConfig, IgnitionFile, IgnitionUnit } from '../spec/ignition-config.ts';
import type { MachineConfig, MachineConfigSpec } from '../machine-config/machine-config.ts';
import { generatedByAnnotation, workerMachineConfig } from '../machine-config/machine-config.ts';
import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { rendererRevision } from './payload-inputs.ts';

/** A file of the payload. */
export function fileOf(path: string, contents: string, mode = 0o644): IgnitionFile {
  return { contents: { source: dataUrl(contents) }, mode, overwrite: true, path };
}

/** Text from its lines, ended by a line break. */
export const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

/** A MachineConfig that the renderer makes itself; it never chooses the OS image. */
export function generatedMachineConfig(
  name: string,
  parts: { readonly files?: readonly IgnitionFile[]; readonly units?: readonly IgnitionUnit[] },
  spec: MachineConfigSpec = {},
): MachineConfig {
  const ignition: IgnitionConfig = {
    ignition: { version: '3.2.0' },
    ...(parts.files?.length ? { storage: { files: parts.files } } : {}),
    ...(parts.units?.length ? { systemd: { units: parts.units } } : {}),
  };
  const config = workerMachineConfig(name, { ...spec, config: ignition as unknown as JsonValue });
  const annotations = { [generatedByAnnotation]: String(rendererRevision) };
  return { ...config, metadata: { ...config.metadata, annotations } };
}
