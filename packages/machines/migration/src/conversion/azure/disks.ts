import type { AzureMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { azurev1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';

type OldOsDisk = AzureMachineProviderSpec['osDisk'];
type OldDataDisk = NonNullable<AzureMachineProviderSpec['dataDisks']>[number];
type OsDisk = azurev1beta1.AzureMachineSpecOsDisk;
type DataDisk = azurev1beta1.AzureMachineSpecDataDisk;

export function osDiskToClusterApi(disk: OldOsDisk, path: string, findings: Findings): Draft<OsDisk> {
  const location = disk.diskSettings?.ephemeralStorageLocation;
  findings.oneOf(`${path}.diskSettings.ephemeralStorageLocation`, location, ['Local']);
  const { storageAccountType, diskEncryptionSet, securityProfile } = disk.managedDisk;
  const profileSet = securityProfile?.diskEncryptionSet?.id;
  const encryption = securityProfile?.securityEncryptionType;
  return {
    osType: disk.osType,
    diskSizeGB: disk.diskSizeGB || undefined,
    managedDisk: {
      storageAccountType,
      diskEncryptionSet,
      securityProfile:
        profileSet || encryption
          ? { diskEncryptionSet: profileSet ? { id: profileSet } : undefined, securityEncryptionType: encryption }
          : undefined,
    },
    diffDiskSettings: location === 'Local' ? { option: 'Local' } : undefined,
    // The default of the CRD, written out so that a stored copy equals its conversion.
    cachingType: disk.cachingType || 'None',
  };
}

export function osDiskToMachineApi(disk: OsDisk, path: string, findings: Findings): Draft<OldOsDisk> {
  const { diffDiskSettings, managedDisk } = disk;
  findings.oneOf(`${path}.diffDiskSettings.option`, diffDiskSettings?.option, ['Local']);
  if (diffDiskSettings?.placement)
    findings.invalid(`${path}.diffDiskSettings.placement`, diffDiskSettings.placement, 'placement is not supported');
  return {
    osType: disk.osType,
    managedDisk: managedDisk ?? {},
    diskSizeGB: disk.diskSizeGB ?? 0,
    diskSettings: { ephemeralStorageLocation: diffDiskSettings?.option },
    cachingType: disk.cachingType,
  };
}

export function dataDisksToClusterApi(
  disks: readonly OldDataDisk[] | undefined,
  path: string,
  findings: Findings,
): readonly Draft<DataDisk>[] | undefined {
  return disks?.map((disk, index) => {
    if (disk.deletionPolicy !== 'Delete')
      findings.invalid(
        `${path}[${index}].deletionPolicy`,
        disk.deletionPolicy,
        'data disks are deleted with their machine in CAPI, only Delete is supported',
      );
    return {
      nameSuffix: disk.nameSuffix,
      diskSizeGB: disk.diskSizeGB,
      managedDisk: disk.managedDisk,
      lun: disk.lun,
      cachingType: disk.cachingType,
    };
  });
}

export function dataDisksToMachineApi(
  disks: readonly DataDisk[] | undefined,
  path: string,
  findings: Findings,
): readonly Draft<OldDataDisk>[] | undefined {
  return disks?.map((disk, index) => {
    const field = `${path}[${index}]`;
    if (disk.lun === undefined) findings.required(`${field}.lun`, 'MAPI needs the number of the disk');
    if (disk.managedDisk?.securityProfile)
      findings.invalid(
        `${field}.managedDisk.securityProfile`,
        disk.managedDisk.securityProfile,
        'securityProfile is not supported on data disks',
      );
    const { storageAccountType, diskEncryptionSet } = disk.managedDisk ?? {};
    return {
      nameSuffix: disk.nameSuffix,
      diskSizeGB: disk.diskSizeGB,
      managedDisk: { storageAccountType, diskEncryptionSet },
      lun: disk.lun,
      cachingType: disk.cachingType,
      deletionPolicy: 'Delete',
    };
  });
}
