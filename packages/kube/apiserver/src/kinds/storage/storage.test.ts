import { describe, expect, it } from 'vitest';
import { cellsOf, created, faults, updateFaults } from '../testing/objects.ts';
import { csiDriver } from './csi-driver.ts';
import { storageClass } from './storage-class.ts';
import { volumeAttachment } from './volume-attachment.ts';

describe('storage classes', () => {
  const aClass = { provisioner: 'disk.example.com' };
  it('When one is short, it should be completed and pass', () => {
    expect(created(storageClass, aClass)).toMatchObject({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
    expect(faults(storageClass, aClass)).toEqual([]);
    expect(faults(storageClass, {})).toEqual(['provisioner: Required value']);
  });
  it('When its rules change, it should refuse', () => {
    expect(updateFaults(storageClass, aClass, { ...aClass, parameters: { type: 'ssd' } })).toEqual([
      'parameters: Forbidden: updates to parameters are forbidden.',
    ]);
  });
  it('When it is the default, it should say so', () => {
    const metadata = { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } };
    expect(cellsOf(storageClass, { metadata, ...aClass })).toEqual([
      'thing (default)',
      'disk.example.com',
      'Delete',
      'Immediate',
      false,
      '10m',
    ]);
  });
});

describe('CSI', () => {
  it('When a driver is short, it should be completed', () => {
    expect(created(csiDriver, {})['spec']).toEqual({
      attachRequired: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      podInfoOnMount: false,
      requiresRepublish: false,
      seLinuxMount: false,
      preventPodSchedulingIfMissing: false,
      storageCapacity: false,
      volumeLifecycleModes: ['Persistent'],
    });
  });
  it('When an attachment names two sources or none, it should refuse', () => {
    const spec = { attacher: 'disk.example.com', nodeName: 'n1' };
    expect(faults(volumeAttachment, { spec })).toEqual([
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    ]);
    expect(faults(volumeAttachment, { spec: { ...spec, source: { persistentVolumeName: 'pv1' } } })).toEqual([]);
  });
});
