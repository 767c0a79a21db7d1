import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isConfigMapKey,
  isDNS1123Subdomain,
  isQualifiedName,
  isRelaxedEnvVarName,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { format, required } from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, textOf } from '../../values.ts';

const envFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
] as const;

export const volumeFieldPaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
] as const;

const containerResources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
] as const;

const valueSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

export function validateEnv(errors: FieldError[], container: Draft, field: string): void {
  listOf(container['env']).forEach((env, index) => {
    const path = `${field}.env[${index}]`;
    if (required(errors, `${path}.name`, env['name'])) format(errors, `${path}.name`, env['name'], isRelaxedEnvVarName);
    if (isSet(env['valueFrom'])) validateValueFrom(errors, env, `${path}.valueFrom`);
  });
  listOf(container['envFrom']).forEach((source, index) => {
    const path = `${field}.envFrom[${index}]`;
    if (!isEmpty(source['prefix'])) format(errors, `${path}.prefix`, source['prefix'], isRelaxedEnvVarName);
    const given = ['configMapRef', 'secretRef'].filter((key) => isSet(source[key]));
    for (const key of given) {
      const name = fieldsOf(source[key])['name'];
      if (required(errors, `${path}.${key}.name`, name))
        format(errors, `${path}.${key}.name`, name, isDNS1123Subdomain);
    }
    if (given.length === 0)
      errors.push(fieldError.invalid(`${field}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (given.length > 1)
      errors.push(fieldError.invalid(`${field}.envFrom`, '', 'may not have more than one field specified at a time'));
  });
}

function validateValueFrom(errors: FieldError[], env: Draft, field: string): void {
  const source = fieldsOf(env['valueFrom']);
  const given = valueSources.filter((key) => isSet(source[key]));
  const fieldRef = source['fieldRef'];
  if (isSet(fieldRef)) validateFieldRef(errors, fieldsOf(fieldRef), envFieldPaths, `${field}.fieldRef`);
  if (isSet(source['resourceFieldRef']))
    validateResourceFieldRef(errors, fieldsOf(source['resourceFieldRef']), `${field}.resourceFieldRef`, false);
  for (const key of ['configMapKeyRef', 'secretKeyRef'])
    if (isSet(source[key])) validateKeyRef(errors, fieldsOf(source[key]), `${field}.${key}`);
  if (given.length === 0)
    errors.push(
      fieldError.invalid(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    );
  else if (!isEmpty(env['value']))
    errors.push(fieldError.invalid(field, '', 'may not be specified when `value` is not empty'));
  if (given.length > 1)
    errors.push(fieldError.invalid(field, '', 'may not have more than one field specified at a time'));
}

function validateKeyRef(errors: FieldError[], reference: Draft, field: string): void {
  format(errors, `${field}.name`, reference['name'], isDNS1123Subdomain);
  if (required(errors, `${field}.key`, reference['key']))
    format(errors, `${field}.key`, reference['key'], isConfigMapKey);
}

const subscript = /^(metadata\.labels|metadata\.annotations)\['(.*)'\]$/;

/** A `fieldRef`: a path into the pod, with a key in brackets for labels and annotations. */
export function validateFieldRef(
  errors: FieldError[],
  reference: Draft,
  paths: readonly string[],
  field: string,
): void {
  if (!required(errors, `${field}.apiVersion`, reference['apiVersion'])) return;
  if (!required(errors, `${field}.fieldPath`, reference['fieldPath'])) return;
  const path = textOf(reference['fieldPath']);
  const key = subscript.exec(path)?.[2];
  if (key !== undefined) {
    format(errors, field, path.startsWith('metadata.annotations') ? key.toLowerCase() : key, isQualifiedName);
    return;
  }
  const known =
    paths.includes(path) || envFieldPaths.includes(path as never) || volumeFieldPaths.includes(path as never);
  if (!known)
    errors.push(
      fieldError.invalid(`${field}.fieldPath`, path, `error converting fieldPath: field label not supported: ${path}`),
    );
  else if (!paths.includes(path)) errors.push(fieldError.notSupported(`${field}.fieldPath`, path, paths));
}

export function validateResourceFieldRef(
  errors: FieldError[],
  reference: Draft,
  field: string,
  inVolume: boolean,
): void {
  if (inVolume && isEmpty(reference['containerName'])) {
    errors.push(fieldError.required(`${field}.containerName`));
    return;
  }
  const resource = textOf(reference['resource']);
  if (!required(errors, `${field}.resource`, resource)) return;
  const huge = resource.startsWith('limits.hugepages-') || resource.startsWith('requests.hugepages-');
  if (!huge && !containerResources.includes(resource as never))
    errors.push(fieldError.notSupported(`${field}.resource`, resource, containerResources));
}
