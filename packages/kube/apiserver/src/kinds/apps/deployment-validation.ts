import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { immutable, notNegative } from '../rules/checks.ts';
import { atMost100Percent, intOrPercent, intOrPercentValue } from '../rules/int-or-percent.ts';
import { fieldsOf, isSet, numberOf, specOf } from '../values.ts';
import { validateSelector, validateServingTemplate } from './workload-validation.ts';

export function validateDeployment(deployment: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(deployment);
  notNegative(errors, 'spec.replicas', spec['replicas']);
  validateSelector(errors, spec['selector'], 'spec.selector', 'deployment');
  validateServingTemplate(errors, spec, 'spec.template', 'ReplicaSet');
  validateStrategy(errors, fieldsOf(spec['strategy']));
  for (const key of ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'])
    notNegative(errors, `spec.${key}`, spec[key]);
  const deadline = spec['progressDeadlineSeconds'];
  if (typeof deadline === 'number' && deadline <= numberOf(spec['minReadySeconds']))
    errors.push(fieldError.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  return errors;
}

function validateStrategy(errors: FieldError[], strategy: Draft): void {
  const field = 'spec.strategy';
  if (strategy['type'] === 'Recreate') {
    if (isSet(strategy['rollingUpdate']))
      errors.push(
        fieldError.forbidden(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"),
      );
    return;
  }
  if (strategy['type'] !== 'RollingUpdate') {
    errors.push(fieldError.notSupported(field, strategy, ['Recreate', 'RollingUpdate']));
    return;
  }
  const { maxUnavailable, maxSurge } = fieldsOf(strategy['rollingUpdate']);
  intOrPercent(errors, `${field}.rollingUpdate.maxUnavailable`, maxUnavailable);
  intOrPercent(errors, `${field}.rollingUpdate.maxSurge`, maxSurge);
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0)
    errors.push(
      fieldError.invalid(`${field}.rollingUpdate.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'),
    );
  atMost100Percent(errors, `${field}.rollingUpdate.maxUnavailable`, maxUnavailable);
}

/** A selector decides which pods are whose; changing it would orphan them. */
export function validateSelectorUnchanged(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  immutable(errors, 'spec.selector', specOf(object)['selector'], specOf(old)['selector']);
  return errors;
}
