import type { OpenstackProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import type { BlockDevice, RootVolume, Zone } from './types.ts';

type OldRootVolume = NonNullable<OpenstackProviderSpec['rootVolume']>;
type OldBlockDevice = NonNullable<OpenstackProviderSpec['additionalBlockDevices']>[number];

/** `from: Name` is a default of the CRD and therefore written out. */
function zoneToClusterApi(name: string | undefined): Zone | undefined {
  return name ? { from: 'Name', name } : undefined;
}

/** Only a named zone can be said; the Machine API cannot follow the zone of the machine. */
function zoneToMachineApi(zone: Zone | undefined, path: string, findings: Findings): string | undefined {
  if (zone?.from && zone.from !== 'Name')
    findings.invalid(
      `${path}.availabilityZone.from`,
      zone.from,
      'MAPO only supports defining availability zones by name',
    );
  return zone?.name;
}

export function rootVolumeToClusterApi(
  volume: OldRootVolume | undefined,
  path: string,
  findings: Findings,
): Draft<RootVolume> | undefined {
  if (!volume) return undefined;
  const { deviceType, sourceType, sourceUUID } = volume;
  if (deviceType)
    findings.warn(`${path}.deviceType`, deviceType, 'deviceType is silently ignored by MAPO and will not be converted');
  if (sourceType)
    findings.warn(`${path}.sourceType`, sourceType, 'sourceType is silently ignored by MAPO and will not be converted');
  if (sourceUUID)
    findings.warn(
      `${path}.sourceUUID`,
      sourceUUID,
      'sourceUUID is superseded by spec.image in MAPO and will be ignored here',
    );
  return {
    sizeGiB: volume.diskSize ?? 0,
    type: volume.volumeType,
    availabilityZone: zoneToClusterApi(volume.availabilityZone),
  };
}

export function rootVolumeToMachineApi(
  volume: RootVolume | undefined,
  path: string,
  findings: Findings,
): Draft<OldRootVolume> | undefined {
  return (
    volume && {
      volumeType: volume.type,
      diskSize: volume.sizeGiB,
      availabilityZone: zoneToMachineApi(volume.availabilityZone, path, findings),
    }
  );
}

export function blockDevicesToClusterApi(
  devices: readonly OldBlockDevice[] | undefined,
  path: string,
  findings: Findings,
): readonly Draft<BlockDevice>[] | undefined {
  return devices?.map(({ name, sizeGiB, storage }, index) => {
    const { type, volume } = storage;
    if (type === 'Volume' && !volume)
      findings.required(`${path}[${index}].volume`, 'volume is required, but is missing');
    const converted = volume && { type: volume.type, availabilityZone: zoneToClusterApi(volume.availabilityZone) };
    return { name, sizeGiB, storage: { type, volume: converted } };
  });
}

export function blockDevicesToMachineApi(
  devices: readonly BlockDevice[] | undefined,
  path: string,
  findings: Findings,
): readonly Draft<OldBlockDevice>[] | undefined {
  return devices?.map((device, index) => {
    const { type, volume } = device.storage;
    const field = `${path}[${index}]`;
    if (type === 'Volume' && !volume)
      findings.invalid(field, device, 'The volume field must be populated if type is volume');
    const converted = volume && {
      type: volume.type,
      availabilityZone: zoneToMachineApi(volume.availabilityZone, `${field}.storage.volume`, findings),
    };
    return { name: device.name, sizeGiB: device.sizeGiB, storage: { type, volume: converted } };
  });
}
