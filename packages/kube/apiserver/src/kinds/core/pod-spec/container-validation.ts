import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Label, isPortName } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { format, inRange, portNumber, required, supported, supportedOrMissing } from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, textOf } from '../../values.ts';
import { validateRequirements } from '../resources/validation.ts';
import { validateEnv } from './env-validation.ts';
import { validateMounts } from './mount-validation.ts';
import { validateHandlers } from './probe-validation.ts';
import { validateContainerSecurity } from './security-validation.ts';

/** All containers of a pod: the regular ones, the init containers and the ephemeral ones. */
export function validateContainers(
  errors: FieldError[],
  spec: Draft,
  volumes: ReadonlyMap<string, Draft>,
  field: string,
): void {
  const regular = listOf(spec['containers']);
  const names = new Set<string>();
  const grace = spec['terminationGracePeriodSeconds'];
  const once = (name: string, path: string) => {
    if (name === '') return;
    if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
    names.add(name);
  };
  if (regular.length === 0) errors.push(fieldError.required(`${field}.containers`));
  regular.forEach((container, index) => {
    const path = `${field}.containers[${index}]`;
    validateContainer(errors, container, spec, volumes, path);
    once(textOf(container['name']), path);
    validateHandlers(errors, container, path, grace);
    if (isSet(container['restartPolicy']))
      supported(errors, `${path}.restartPolicy`, container['restartPolicy'], ['Always', 'Never', 'OnFailure']);
  });
  uniqueHostPorts(errors, regular, `${field}.containers`);
  listOf(spec['initContainers']).forEach((container, index) => {
    const path = `${field}.initContainers[${index}]`;
    validateContainer(errors, container, spec, volumes, path);
    once(textOf(container['name']), path);
    const sidecar = container['restartPolicy'] === 'Always';
    if (sidecar) validateHandlers(errors, container, path, grace);
    else
      for (const key of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'])
        if (isSet(container[key]))
          errors.push(
            fieldError.forbidden(`${path}.${key}`, 'may not be set for init containers without restartPolicy=Always'),
          );
    supported(errors, `${path}.restartPolicy`, container['restartPolicy'], ['Always', 'Never', 'OnFailure']);
  });
  validateEphemeralContainers(errors, spec, volumes, names, field);
}

function validateEphemeralContainers(
  errors: FieldError[],
  spec: Draft,
  volumes: ReadonlyMap<string, Draft>,
  names: ReadonlySet<string>,
  field: string,
): void {
  const own = new Set(names);
  listOf(spec['ephemeralContainers']).forEach((container, index) => {
    const path = `${field}.ephemeralContainers[${index}]`;
    validateContainer(errors, container, spec, volumes, path);
    const name = textOf(container['name']);
    if (own.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
    own.add(name);
    const target = textOf(container['targetContainerName']);
    if (target !== '' && !names.has(target)) errors.push(fieldError.notFound(`${path}.targetContainerName`, target));
    for (const key of ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'])
      if (!isEmpty(container[key]))
        errors.push(fieldError.forbidden(`${path}.${key}`, 'cannot be set for an Ephemeral Container'));
    if (!isEmpty(fieldsOf(container['resources'])['limits']) || !isEmpty(fieldsOf(container['resources'])['requests']))
      errors.push(fieldError.forbidden(`${path}.resources`, 'cannot be set for an Ephemeral Container'));
  });
}

function validateContainer(
  errors: FieldError[],
  container: Draft,
  spec: Draft,
  volumes: ReadonlyMap<string, Draft>,
  field: string,
): void {
  if (required(errors, `${field}.name`, container['name']))
    format(errors, `${field}.name`, container['name'], isDNS1123Label);
  const image = textOf(container['image']);
  if (required(errors, `${field}.image`, image) && image !== image.trim())
    errors.push(fieldError.invalid(`${field}.image`, image, 'must not have leading or trailing whitespace'));
  supportedOrMissing(errors, `${field}.terminationMessagePolicy`, container['terminationMessagePolicy'], [
    'File',
    'FallbackToLogsOnError',
  ]);
  validatePorts(errors, container, spec, field);
  validateEnv(errors, container, field);
  validateMounts(errors, container, volumes, field);
  supportedOrMissing(errors, `${field}.imagePullPolicy`, container['imagePullPolicy'], [
    'Always',
    'IfNotPresent',
    'Never',
  ]);
  validateRequirements(errors, fieldsOf(container['resources']), `${field}.resources`, spec);
  validateContainerSecurity(errors, container, field);
}

function validatePorts(errors: FieldError[], container: Draft, spec: Draft, field: string): void {
  const names = new Set<string>();
  listOf(container['ports']).forEach((port, index) => {
    const path = `${field}.ports[${index}]`;
    const name = textOf(port['name']);
    if (name !== '') {
      format(errors, `${path}.name`, name, isPortName);
      if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
      names.add(name);
    }
    if (required(errors, `${path}.containerPort`, port['containerPort']))
      portNumber(errors, `${path}.containerPort`, port['containerPort']);
    if (!isEmpty(port['hostPort'])) inRange(errors, `${path}.hostPort`, port['hostPort'], 1, 65535);
    supportedOrMissing(errors, `${path}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']);
    if (spec['hostNetwork'] === true && !isEmpty(port['hostPort']) && port['hostPort'] !== port['containerPort'])
      errors.push(
        fieldError.invalid(
          `${path}.hostPort`,
          port['hostPort'],
          'must match `containerPort` when `hostNetwork` is true',
        ),
      );
  });
}

/** Two containers cannot listen on the same port of the node. */
function uniqueHostPorts(errors: FieldError[], containers: readonly Draft[], field: string): void {
  const seen = new Set<string>();
  containers.forEach((container, index) => {
    listOf(container['ports']).forEach((port, at) => {
      const number = numberOf(port['hostPort']);
      if (number === 0) return;
      const key = `${textOf(port['protocol'])}/${textOf(port['hostIP'])}/${number}`;
      if (seen.has(key)) errors.push(fieldError.duplicate(`${field}[${index}].ports[${at}].hostPort`, key));
      seen.add(key);
    });
  });
}
