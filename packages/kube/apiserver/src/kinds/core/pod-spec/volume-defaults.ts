import type { Draft } from '../../behaviour.ts';
import { child, items, maybe, setDefault } from '../../defaulting.ts';
import { defaultClaimSpec } from '../claim-spec.ts';
import { canonicalField } from '../resources/canonical.ts';
import { defaultPullPolicy } from './image.ts';

/** 0644 in octal, as every file-projecting volume has it. */
const fileMode = 0o644;

/** Fills in one volume of a pod; a volume that names no source is an emptyDir. */
export function defaultVolume(volume: Draft): void {
  if (!Object.keys(volume).some((key) => key !== 'name' && volume[key] !== null && volume[key] !== undefined))
    volume['emptyDir'] = {};
  canonicalField(maybe(volume, 'emptyDir'), 'sizeLimit');
  defaultSharedSources(volume);
  for (const name of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const source = maybe(volume, name);
    if (source) setDefault(source, 'defaultMode', fileMode);
  }
  defaultDownward(maybe(volume, 'downwardAPI'));
  for (const source of items(maybe(volume, 'projected'), 'sources')) {
    defaultDownward(maybe(source, 'downwardAPI'));
    const token = maybe(source, 'serviceAccountToken');
    if (token) setDefault(token, 'expirationSeconds', 3600);
  }
  const template = maybe(maybe(volume, 'ephemeral'), 'volumeClaimTemplate');
  if (template) defaultClaimSpec(child(template, 'spec'));
  const image = maybe(volume, 'image');
  if (image) setDefault(image, 'pullPolicy', defaultPullPolicy(image['reference']));
}

/** Sources that pods and PersistentVolumes have in common. */
export function defaultSharedSources(holder: Draft): void {
  const hostPath = maybe(holder, 'hostPath');
  if (hostPath && (hostPath['type'] === undefined || hostPath['type'] === null)) hostPath['type'] = '';
  const iscsi = maybe(holder, 'iscsi');
  if (iscsi) setDefault(iscsi, 'iscsiInterface', 'default');
  const rbd = maybe(holder, 'rbd');
  if (rbd) {
    setDefault(rbd, 'pool', 'rbd');
    setDefault(rbd, 'user', 'admin');
    setDefault(rbd, 'keyring', '/etc/ceph/keyring');
  }
  const azureDisk = maybe(holder, 'azureDisk');
  if (azureDisk) {
    setDefault(azureDisk, 'cachingMode', 'ReadWrite');
    setDefault(azureDisk, 'fsType', 'ext4');
    setDefault(azureDisk, 'readOnly', false);
    setDefault(azureDisk, 'kind', 'Shared');
  }
  const scaleIO = maybe(holder, 'scaleIO');
  if (scaleIO) {
    setDefault(scaleIO, 'storageMode', 'ThinProvisioned');
    setDefault(scaleIO, 'fsType', 'xfs');
  }
}

function defaultDownward(source: Draft | undefined): void {
  for (const file of items(source, 'items')) {
    const fieldRef = maybe(file, 'fieldRef');
    if (fieldRef) setDefault(fieldRef, 'apiVersion', 'v1');
    const resource = maybe(file, 'resourceFieldRef');
    if (resource) setDefault(resource, 'divisor', '0');
  }
}
