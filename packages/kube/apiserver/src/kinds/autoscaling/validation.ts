import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isPathSegmentName } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { autoscalerToV2 } from '../conversions/horizontal-pod-autoscaler.ts';
import { quantityIsPositive } from '../core/resources/compare.ts';
import { format, required, supported } from '../rules/checks.ts';
import { fieldsOf, isSet, listOf, numberOf, specOf, textOf } from '../values.ts';

export function validateAutoscaler(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object.apiVersion === 'autoscaling/v1' ? autoscalerToV2(object) : object);
  const max = numberOf(spec['maxReplicas']);
  const min = spec['minReplicas'];
  // Only metrics from outside the pods can tell when the first one is needed again.
  const lowest = listOf(spec['metrics']).some(({ type }) => type === 'Object' || type === 'External') ? 0 : 1;
  if (typeof min === 'number' && min < lowest)
    errors.push(fieldError.invalid('spec.minReplicas', min, `must be greater than or equal to ${lowest}`));
  if (max < 1) errors.push(fieldError.invalid('spec.maxReplicas', max, 'must be greater than 0'));
  if (typeof min === 'number' && max < min)
    errors.push(fieldError.invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
  const target = fieldsOf(spec['scaleTargetRef']);
  validateReference(errors, target, 'spec.scaleTargetRef');
  if (!/^[^/]+\/[^/]+$/.test(textOf(target['apiVersion'])))
    errors.push(
      fieldError.invalid(
        'spec.scaleTargetRef.apiVersion',
        textOf(target['apiVersion']),
        'apiVersion must specify API group',
      ),
    );
  listOf(spec['metrics']).forEach((metric, index) => validateMetric(errors, metric, `spec.metrics[${index}]`));
  const behavior = fieldsOf(spec['behavior']);
  for (const direction of ['scaleUp', 'scaleDown'])
    if (isSet(behavior[direction])) validateRules(errors, fieldsOf(behavior[direction]), `spec.behavior.${direction}`);
  return errors;
}

function validateReference(errors: FieldError[], reference: Draft, field: string): void {
  for (const key of ['kind', 'name'])
    if (required(errors, `${field}.${key}`, reference[key]))
      format(errors, `${field}.${key}`, reference[key], isPathSegmentName);
}

const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

function validateMetric(errors: FieldError[], metric: Draft, field: string): void {
  const type = textOf(metric['type']);
  if (!required(errors, `${field}.type`, type, 'must specify a metric source type')) return;
  supported(errors, `${field}.type`, type, Object.keys(sources));
  const expected = Object.hasOwn(sources, type) ? sources[type] : undefined;
  for (const key of Object.values(sources)) {
    if (key === expected && !isSet(metric[key]))
      errors.push(fieldError.required(`${field}.${key}`, 'must populate information for the given metric source'));
    if (key !== expected && isSet(metric[key]) && expected !== undefined)
      errors.push(fieldError.forbidden(`${field}.${key}`, 'must populate the given metric source only'));
  }
  if (expected === undefined || !isSet(metric[expected])) return;
  validateSource(errors, type, fieldsOf(metric[expected]), `${field}.${expected}`);
}

function validateSource(errors: FieldError[], type: string, source: Draft, field: string): void {
  const target = fieldsOf(source['target']);
  const path = `${field}.target`;
  validateTarget(errors, target, path);
  if (type === 'Resource' || type === 'ContainerResource') {
    required(errors, `${field}.name`, source['name'], 'must specify a resource name');
    if (type === 'ContainerResource')
      required(errors, `${field}.container`, source['container'], 'must specify a container');
    if (!isSet(target['averageUtilization']) && !isSet(target['averageValue']))
      errors.push(
        fieldError.required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization'),
      );
    if (isSet(target['averageUtilization']) && isSet(target['averageValue']))
      errors.push(
        fieldError.forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization'),
      );
    return;
  }
  const name = fieldsOf(source['metric'])['name'];
  if (required(errors, `${field}.metric.name`, name, 'must specify a metric name'))
    format(errors, `${field}.metric.name`, name, isPathSegmentName);
  if (type === 'Object') validateReference(errors, fieldsOf(source['describedObject']), `${field}.describedObject`);
  if (type === 'Pods' && !isSet(target['averageValue']))
    errors.push(fieldError.required(`${path}.averageValue`, 'must specify a positive target averageValue'));
  if (type === 'Object' && !isSet(target['value']) && !isSet(target['averageValue']))
    errors.push(fieldError.required(`${path}.averageValue`, 'must set either a target value or averageValue'));
  if (type !== 'External') return;
  if (!isSet(target['value']) && !isSet(target['averageValue']))
    errors.push(
      fieldError.required(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target'),
    );
  if (isSet(target['value']) && isSet(target['averageValue']))
    errors.push(
      fieldError.forbidden(`${path}.value`, 'may not set both a target value for metric and a per-pod target'),
    );
}

function validateTarget(errors: FieldError[], target: Draft, field: string): void {
  const type = textOf(target['type']);
  if (required(errors, `${field}.type`, type, 'must specify a metric target type'))
    if (!['Utilization', 'Value', 'AverageValue'].includes(type))
      errors.push(fieldError.invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  for (const key of ['value', 'averageValue'])
    if (isSet(target[key]) && !quantityIsPositive(target[key]))
      errors.push(fieldError.invalid(`${field}.${key}`, target[key], 'must be positive'));
  const utilization = target['averageUtilization'];
  if (typeof utilization === 'number' && utilization < 1)
    errors.push(fieldError.invalid(`${field}.averageUtilization`, utilization, 'must be greater than 0'));
}

const maxWindow = 3600;
const maxPeriod = 1800;

function validateRules(errors: FieldError[], rules: Draft, field: string): void {
  const window = rules['stabilizationWindowSeconds'];
  if (typeof window === 'number' && window < 0)
    errors.push(
      fieldError.invalid(`${field}.stabilizationWindowSeconds`, window, 'must be greater than or equal to zero'),
    );
  if (typeof window === 'number' && window > maxWindow)
    errors.push(
      fieldError.invalid(`${field}.stabilizationWindowSeconds`, window, `must be less than or equal to ${maxWindow}`),
    );
  supported(errors, `${field}.selectPolicy`, rules['selectPolicy'], ['Disabled', 'Max', 'Min']);
  const policies = listOf(rules['policies']);
  if (policies.length === 0) errors.push(fieldError.required(`${field}.policies`, 'must specify at least one Policy'));
  policies.forEach((policy, index) => {
    const path = `${field}.policies[${index}]`;
    supported(errors, `${path}.type`, textOf(policy['type']), ['Percent', 'Pods']);
    for (const key of ['value', 'periodSeconds'])
      if (numberOf(policy[key]) <= 0)
        errors.push(fieldError.invalid(`${path}.${key}`, numberOf(policy[key]), 'must be greater than zero'));
    if (numberOf(policy['periodSeconds']) > maxPeriod)
      errors.push(
        fieldError.invalid(
          `${path}.periodSeconds`,
          policy['periodSeconds'],
          `must be less than or equal to ${maxPeriod}`,
        ),
      );
  });
}
