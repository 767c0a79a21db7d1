import type { AWSBlockDevice, AWSResourceReference } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';

type Volume = awsv1beta2.AWSClusterStatusBastionNonRootVolume;

/** What the Machine API makes of a volume without a size, in GiB. */
const defaultSize = 120;
const maxInt32 = 2 ** 31 - 1;

/** Block devices as volumes: the one without a device name is the root, and of several such the last counts. */
export function volumesToClusterApi(
  devices: readonly AWSBlockDevice[] = [],
  path: string,
  findings: Findings,
): { readonly rootVolume?: Draft<Volume>; readonly nonRootVolumes?: readonly Draft<Volume>[] } {
  let rootVolume: Draft<Volume> | undefined;
  const nonRootVolumes: Draft<Volume>[] = [];
  for (const [index, device] of devices.entries()) {
    const volume = toVolume(device, `${path}[${index}]`, findings);
    if (volume === undefined) continue;
    if (device.deviceName) nonRootVolumes.push(volume);
    else rootVolume = volume;
  }
  return { ...(rootVolume ? { rootVolume } : {}), nonRootVolumes };
}

function toVolume(device: AWSBlockDevice, path: string, findings: Findings): Draft<Volume> | undefined {
  for (const name of ['noDevice', 'virtualName'] as const)
    if (device[name] !== undefined) findings.invalid(`${path}.${name}`, device[name], `${name} is not supported`);
  const { ebs, deviceName } = device;
  if (!ebs) {
    findings.warn(`${path}.ebs`, null, 'missing ebs configuration for block device');
    return undefined;
  }
  if (ebs.deleteOnTermination === false) {
    const field = `${path}.ebs.deleteOnTermination`;
    if (deviceName)
      findings.invalid(field, false, 'non-root volumes must be deleted on termination, unsupported value false');
    else findings.warn(field, false, 'root volume must be deleted on termination, ignoring invalid value false');
  }
  return {
    deviceName,
    size: ebs.volumeSize ?? defaultSize,
    type: ebs.volumeType,
    iops: ebs.iops,
    throughput: ebs.throughputMib,
    encrypted: ebs.encrypted,
    encryptionKey: encryptionKey(ebs.kmsKey, `${path}.ebs.kmsKey`, findings),
  };
}

function encryptionKey({ id, arn, filters }: AWSResourceReference = {}, path: string, findings: Findings) {
  if (!id && !arn && filters?.length) findings.invalid(`${path}.filters`, filters, 'a key must be given by id or arn');
  return id || arn;
}

/** Volumes as block devices, the root first. */
export function volumesToMachineApi(
  { rootVolume, nonRootVolumes = [] }: Pick<awsv1beta2.AWSMachineSpec, 'rootVolume' | 'nonRootVolumes'>,
  path: string,
  findings: Findings,
): readonly Draft<AWSBlockDevice>[] {
  const isEmpty = !rootVolume || !Object.values(rootVolume).some(Boolean);
  return [
    ...(isEmpty ? [] : [{ ebs: toEbs(rootVolume, `${path}.rootVolume`, findings) }]),
    ...nonRootVolumes.map((volume, index) => {
      const field = `${path}.nonRootVolumes[${index}]`;
      if (!volume.deviceName)
        findings.required(`${field}.deviceName`, 'a volume without a device name would be the root');
      return { deviceName: volume.deviceName, ebs: toEbs(volume, field, findings) };
    }),
  ];
}

function toEbs(volume: Volume, path: string, findings: Findings): Draft<NonNullable<AWSBlockDevice['ebs']>> {
  const { throughput } = volume;
  if (throughput !== undefined && throughput > maxInt32)
    findings.invalid(`${path}.throughput`, throughput, 'throughput exceeds maximum int32 value');
  return {
    encrypted: volume.encrypted,
    kmsKey: toKey(volume.encryptionKey ?? ''),
    iops: volume.iops || undefined,
    throughputMib: throughput,
    volumeSize: volume.size,
    volumeType: volume.type || undefined,
  };
}

function toKey(key: string): AWSResourceReference {
  return key.startsWith('arn:') ? { arn: key } : { id: key };
}
