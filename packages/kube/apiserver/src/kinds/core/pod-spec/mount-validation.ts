import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { required, supported } from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, textOf } from '../../values.ts';

/** A container's volume mounts and block devices against the pod's volumes. */
export function validateMounts(
  errors: FieldError[],
  container: Draft,
  volumes: ReadonlyMap<string, Draft>,
  field: string,
): void {
  const devices = listOf(container['volumeDevices']);
  const deviceNames = new Set(devices.map((device) => device['name']));
  const devicePaths = new Set(devices.map((device) => device['devicePath']));
  const mountPaths = new Set<string>();
  const mounts = listOf(container['volumeMounts']);
  mounts.forEach((mount, index) => {
    const path = `${field}.volumeMounts[${index}]`;
    const name = textOf(mount['name']);
    const mountPath = textOf(mount['mountPath']);
    required(errors, `${path}.name`, name);
    if (!volumes.has(name)) errors.push(fieldError.notFound(`${path}.name`, name));
    required(errors, `${path}.mountPath`, mountPath);
    if (mountPaths.has(mountPath)) errors.push(fieldError.invalid(`${path}.mountPath`, mountPath, 'must be unique'));
    mountPaths.add(mountPath);
    if (deviceNames.has(name))
      errors.push(fieldError.invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(
        fieldError.invalid(`${path}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'),
      );
    for (const key of ['subPath', 'subPathExpr'])
      if (!isEmpty(mount[key])) validateDescendingPath(errors, textOf(mount[key]), `${path}.${key}`);
    if (!isEmpty(mount['subPath']) && !isEmpty(mount['subPathExpr']))
      errors.push(
        fieldError.invalid(
          `${path}.subPathExpr`,
          mount['subPathExpr'],
          'subPathExpr and subPath are mutually exclusive',
        ),
      );
    validatePropagation(errors, mount, container, path);
  });
  validateDevices(errors, devices, volumes, mounts, field);
}

function validatePropagation(errors: FieldError[], mount: Draft, container: Draft, field: string): void {
  const propagation = mount['mountPropagation'];
  supported(errors, `${field}.mountPropagation`, propagation, ['Bidirectional', 'HostToContainer', 'None']);
  const privileged = fieldsOf(container['securityContext'])['privileged'] === true;
  if (propagation === 'Bidirectional' && !privileged)
    errors.push(
      fieldError.forbidden(
        `${field}.mountPropagation`,
        'Bidirectional mount propagation is available only to privileged containers',
      ),
    );
  if (isSet(mount['recursiveReadOnly']) && mount['recursiveReadOnly'] !== 'Disabled') {
    supported(errors, `${field}.recursiveReadOnly`, mount['recursiveReadOnly'], ['Disabled', 'Enabled', 'IfPossible']);
    if (mount['readOnly'] !== true)
      errors.push(fieldError.forbidden(`${field}.recursiveReadOnly`, 'may only be specified when readOnly is true'));
  }
}

function validateDevices(
  errors: FieldError[],
  devices: readonly Draft[],
  volumes: ReadonlyMap<string, Draft>,
  mounts: readonly Draft[],
  field: string,
): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  devices.forEach((device, index) => {
    const path = `${field}.volumeDevices[${index}]`;
    const name = textOf(device['name']);
    const devicePath = textOf(device['devicePath']);
    required(errors, `${path}.name`, name);
    if (names.has(name)) errors.push(fieldError.invalid(`${path}.name`, name, 'must be unique'));
    const volume = volumes.get(name);
    if (volume === undefined) errors.push(fieldError.notFound(`${path}.name`, name));
    else if (!isSet(volume['persistentVolumeClaim']) && !isSet(volume['ephemeral']))
      errors.push(
        fieldError.invalid(
          `${path}.name`,
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      );
    required(errors, `${path}.devicePath`, devicePath);
    if (paths.has(devicePath)) errors.push(fieldError.invalid(`${path}.devicePath`, devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..'))
      errors.push(fieldError.invalid(`${path}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    if (mounts.some((mount) => mount['name'] === name))
      errors.push(fieldError.invalid(`${path}.name`, name, 'must not already exist in volumeMounts'));
    names.add(name);
    paths.add(devicePath);
  });
}

/** A path inside something: relative and without steps back. */
export function validateDescendingPath(errors: FieldError[], path: string, field: string): void {
  if (path.startsWith('/')) errors.push(fieldError.invalid(field, path, 'must be a relative path'));
  noBacksteps(errors, path, field);
}

export function noBacksteps(errors: FieldError[], path: string, field: string): void {
  if (path.split('/').includes('..')) errors.push(fieldError.invalid(field, path, "must not contain '..'"));
}
