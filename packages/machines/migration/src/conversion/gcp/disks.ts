import type { GCPMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { gcpv1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';

type Disk = NonNullable<GCPMachineProviderSpec['disks']>[number];
type OldKey = NonNullable<Disk['encryptionKey']>;
type Key = gcpv1beta1.GCPMachineSpecAdditionalDiskEncryptionKey;
type DiskFields = Pick<
  gcpv1beta1.GCPMachineSpec,
  'image' | 'rootDeviceSize' | 'rootDeviceType' | 'rootDiskEncryptionKey' | 'additionalDisks'
>;

/** What Cluster API makes of a disk about which nothing is said. */
const defaultDisk = { sizeGb: 30, type: 'pd-standard' };

/** Disks: one to boot from, and others. Sizes and types are written out because the defaults of both APIs differ. */
export function disksToClusterApi(
  disks: readonly Disk[] = [],
  project: string,
  path: string,
  findings: Findings,
): Draft<DiskFields> {
  for (const [index, disk] of disks.entries()) refuse(disk, `${path}[${index}]`, findings);
  const boot = disks.filter((disk) => disk.boot);
  if (boot.length !== 1) findings.invalid(path, disks, 'exactly one disk must be the boot disk');
  const [root] = boot;
  const key = (disk: Disk) => keyToClusterApi(disk, project, `${path}[${disks.indexOf(disk)}].encryptionKey`, findings);
  return {
    image: root?.image || undefined,
    rootDeviceSize: root?.sizeGb,
    rootDeviceType: root?.type || undefined,
    rootDiskEncryptionKey: root && key(root),
    additionalDisks: disks
      .filter((disk) => !disk.boot)
      .map((disk) => ({ deviceType: disk.type || undefined, size: disk.sizeGb, encryptionKey: key(disk) })),
  };
}

function refuse(disk: Disk, path: string, findings: Findings): void {
  if (!disk.autoDelete)
    findings.invalid(
      `${path}.autoDelete`,
      disk.autoDelete,
      'disks are deleted with their machine in CAPI, must be true',
    );
  if (disk.labels && Object.keys(disk.labels).length > 0)
    findings.invalid(`${path}.labels`, disk.labels, 'labels of disks are not supported');
  if (disk.boot && !disk.image) findings.required(`${path}.image`, 'the boot disk needs an image');
  if (!disk.boot && disk.image)
    findings.invalid(`${path}.image`, disk.image, 'image is not supported on disks other than the boot disk');
}

function keyToClusterApi(
  { encryptionKey }: Disk,
  project: string,
  path: string,
  findings: Findings,
): Draft<Key> | undefined {
  if (!encryptionKey) return undefined;
  const { kmsKey, kmsKeyServiceAccount } = encryptionKey;
  if (!kmsKey) {
    findings.required(`${path}.kmsKey`, 'a disk can be encrypted with a key of KMS only');
    return undefined;
  }
  const { projectID = project, location, keyRing, name } = kmsKey;
  return {
    keyType: 'Managed',
    kmsKeyServiceAccount: kmsKeyServiceAccount || undefined,
    managedKey: { kmsKeyName: `projects/${projectID}/locations/${location}/keyRings/${keyRing}/cryptoKeys/${name}` },
  };
}

export function disksToMachineApi(
  spec: gcpv1beta1.GCPMachineSpec,
  path: string,
  findings: Findings,
): readonly Draft<Disk>[] {
  if (!spec.image && !spec.imageFamily) findings.required(`${path}.image`, 'MAPI needs an image for the boot disk');
  return [
    {
      autoDelete: true,
      boot: true,
      sizeGb: spec.rootDeviceSize || defaultDisk.sizeGb,
      type: spec.rootDeviceType ?? defaultDisk.type,
      image: spec.image,
      labels: undefined,
      encryptionKey: keyToMachineApi(spec.rootDiskEncryptionKey, `${path}.rootDiskEncryptionKey`, findings),
    },
    ...(spec.additionalDisks ?? []).map((disk, index) => ({
      autoDelete: true,
      boot: false,
      sizeGb: disk.size ?? defaultDisk.sizeGb,
      type: disk.deviceType ?? defaultDisk.type,
      encryptionKey: keyToMachineApi(disk.encryptionKey, `${path}.additionalDisks[${index}].encryptionKey`, findings),
    })),
  ];
}

const keyName = /^projects\/([^/]+)\/locations\/([^/]+)\/keyRings\/([^/]+)\/cryptoKeys\/([^/]+)$/;

function keyToMachineApi(key: Key | undefined, path: string, findings: Findings): Draft<OldKey> | undefined {
  if (!key) return undefined;
  if (key.keyType !== 'Managed' || key.suppliedKey) {
    // The key itself is a secret and not shown.
    findings.forbidden(`${path}.suppliedKey`, 'only keys of KMS are supported');
    return undefined;
  }
  const name = key.managedKey?.kmsKeyName ?? '';
  const parts = keyName.exec(name);
  if (!parts) {
    findings.invalid(
      `${path}.managedKey.kmsKeyName`,
      name,
      'must be projects/<project>/locations/<location>/keyRings/<ring>/cryptoKeys/<key>',
    );
    return undefined;
  }
  const [, projectID, location, keyRing, keyPart] = parts;
  return {
    kmsKey: { name: keyPart, keyRing, projectID, location },
    kmsKeyServiceAccount: key.kmsKeyServiceAccount,
  };
}
