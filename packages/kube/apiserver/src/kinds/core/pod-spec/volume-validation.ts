import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Label } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { format, required, supported } from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, textOf } from '../../values.ts';
import { validateFieldRef, validateResourceFieldRef, volumeFieldPaths } from './env-validation.ts';
import { noBacksteps, validateDescendingPath } from './mount-validation.ts';

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
] as const;

/** Checks a pod's volumes and returns the sound ones by name, for mounts to refer to. */
export function validateVolumes(errors: FieldError[], spec: Draft, field: string): Map<string, Draft> {
  const sound = new Map<string, Draft>();
  listOf(spec['volumes']).forEach((volume, index) => {
    const path = `${field}.volumes[${index}]`;
    const before = errors.length;
    const name = textOf(volume['name']);
    validateVolume(errors, volume, path);
    if (required(errors, `${path}.name`, name)) format(errors, `${path}.name`, name, isDNS1123Label);
    if (sound.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
    if (errors.length === before) sound.set(name, volume);
  });
  return sound;
}

type SourceCheck = (errors: FieldError[], source: Draft, field: string) => void;

function needs(...keys: readonly string[]): SourceCheck {
  return (errors, source, field) => {
    for (const key of keys) required(errors, `${field}.${key}`, source[key]);
  };
}

const sourceChecks: Readonly<Record<string, SourceCheck>> = {
  emptyDir: () => undefined,
  hostPath: (errors, source, field) => {
    if (!required(errors, `${field}.path`, source['path'])) return;
    noBacksteps(errors, textOf(source['path']), `${field}.path`);
    supported(errors, `${field}.type`, source['type'], hostPathTypes);
  },
  secret: (errors, source, field) => {
    required(errors, `${field}.secretName`, source['secretName']);
    fileMode(errors, source['defaultMode'], `${field}.defaultMode`);
    keysToPaths(errors, source, field);
  },
  configMap: (errors, source, field) => {
    required(errors, `${field}.name`, source['name']);
    fileMode(errors, source['defaultMode'], `${field}.defaultMode`);
    keysToPaths(errors, source, field);
  },
  persistentVolumeClaim: needs('claimName'),
  nfs: (errors, source, field) => {
    needs('server', 'path')(errors, source, field);
    const path = textOf(source['path']);
    if (path !== '' && !path.startsWith('/'))
      errors.push(fieldError.invalid(`${field}.path`, path, 'must be an absolute path'));
  },
  downwardAPI: (errors, source, field) => {
    fileMode(errors, source['defaultMode'], `${field}.defaultMode`);
    listOf(source['items']).forEach((file, index) => downwardFile(errors, file, `${field}.items[${index}]`));
  },
  projected: validateProjected,
  csi: needs('driver'),
  ephemeral: needs('volumeClaimTemplate'),
  image: needs('reference'),
  awsElasticBlockStore: needs('volumeID'),
  gcePersistentDisk: needs('pdName'),
  azureDisk: needs('diskName', 'diskURI'),
  azureFile: needs('secretName', 'shareName'),
  cephfs: needs('monitors'),
  cinder: needs('volumeID'),
  fc: () => undefined,
  flexVolume: needs('driver'),
  flocker: () => undefined,
  gitRepo: needs('repository'),
  glusterfs: needs('endpoints', 'path'),
  iscsi: needs('targetPortal', 'iqn'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  quobyte: needs('registry', 'volume'),
  rbd: needs('monitors', 'image'),
  scaleIO: needs('gateway', 'system', 'volumeName'),
  storageos: () => undefined,
  vsphereVolume: needs('volumePath'),
};

function validateVolume(errors: FieldError[], volume: Draft, field: string): void {
  let seen = 0;
  for (const type of Object.keys(sourceChecks)) {
    if (!isSet(volume[type])) continue;
    if (seen++ > 0) errors.push(fieldError.forbidden(`${field}.${type}`, 'may not specify more than 1 volume type'));
    else sourceChecks[type]?.(errors, fieldsOf(volume[type]), `${field}.${type}`);
  }
  if (seen === 0) errors.push(fieldError.required(field, 'must specify a volume type'));
}

function fileMode(errors: FieldError[], mode: unknown, field: string): void {
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777))
    errors.push(fieldError.invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

function keysToPaths(errors: FieldError[], source: Draft, field: string): void {
  listOf(source['items']).forEach((item, index) => {
    const path = `${field}.items[${index}]`;
    required(errors, `${path}.key`, item['key']);
    required(errors, `${path}.path`, item['path']);
    nonReservedPath(errors, textOf(item['path']), `${path}.path`);
    fileMode(errors, item['mode'], `${path}.mode`);
  });
}

function nonReservedPath(errors: FieldError[], path: string, field: string): void {
  validateDescendingPath(errors, path, field);
  if (path.startsWith('..') && !path.startsWith('../') && path !== '..')
    errors.push(fieldError.invalid(field, path, "must not start with '..'"));
}

function downwardFile(errors: FieldError[], file: Draft, field: string): void {
  required(errors, `${field}.path`, file['path']);
  nonReservedPath(errors, textOf(file['path']), `${field}.path`);
  if (isSet(file['fieldRef'])) {
    validateFieldRef(errors, fieldsOf(file['fieldRef']), volumeFieldPaths, `${field}.fieldRef`);
    if (isSet(file['resourceFieldRef']))
      errors.push(
        fieldError.invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
      );
  } else if (isSet(file['resourceFieldRef']))
    validateResourceFieldRef(errors, fieldsOf(file['resourceFieldRef']), `${field}.resourceFieldRef`, true);
  else errors.push(fieldError.required(field, 'one of fieldRef and resourceFieldRef is required'));
  fileMode(errors, file['mode'], `${field}.mode`);
}

const projections = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

function validateProjected(errors: FieldError[], source: Draft, field: string): void {
  fileMode(errors, source['defaultMode'], `${field}.defaultMode`);
  const paths = new Set<string>();
  const claim = (path: string, shown: string) => {
    if (path !== '' && paths.has(path)) errors.push(fieldError.invalid(field, shown, 'conflicting duplicate paths'));
    paths.add(path);
  };
  listOf(source['sources']).forEach((entry, index) => {
    const path = `${field}.sources[${index}]`;
    const given = projections.filter((type) => isSet(entry[type]));
    if (given.length > 1) errors.push(fieldError.forbidden(path, 'may not specify more than 1 volume type per source'));
    for (const type of given) {
      const projection = fieldsOf(entry[type]);
      const at = `${path}.${type}`;
      if (type === 'secret' || type === 'configMap') {
        required(errors, `${at}.name`, projection['name']);
        keysToPaths(errors, projection, at);
      } else if (type === 'downwardAPI') {
        listOf(projection['items']).forEach((file, item) => downwardFile(errors, file, `${at}.items[${item}]`));
      } else if (type === 'serviceAccountToken') {
        const seconds = projection['expirationSeconds'];
        if (typeof seconds === 'number' && seconds < 600)
          errors.push(
            fieldError.invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'),
          );
        if (typeof seconds === 'number' && seconds > 2 ** 32)
          errors.push(
            fieldError.invalid(
              `${at}.expirationSeconds`,
              seconds,
              'may not specify a duration larger than 2^32 seconds',
            ),
          );
        if (isEmpty(projection['path'])) errors.push(fieldError.required(`${field}.path`));
        else nonReservedPath(errors, textOf(projection['path']), `${field}.path`);
      } else if (type === 'clusterTrustBundle') required(errors, `${at}.path`, projection['path']);
      for (const item of listOf(projection['items'])) claim(textOf(item['path']), textOf(projection['name']));
      if (!isEmpty(projection['path'])) claim(textOf(projection['path']), textOf(projection['path']));
    }
  });
}
