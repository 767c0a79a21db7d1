import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { notNegative } from '../rules/checks.ts';
import { atMost100Percent, intOrPercent, intOrPercentValue } from '../rules/int-or-percent.ts';
import { fieldsOf, specOf } from '../values.ts';
import { validateSelector, validateServingTemplate } from './workload-validation.ts';

export function validateDaemonSet(daemonSet: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(daemonSet);
  validateSelector(errors, spec['selector'], 'spec.selector', 'daemonset');
  validateServingTemplate(errors, spec, 'spec.template', 'DaemonSet');
  for (const key of ['minReadySeconds', 'revisionHistoryLimit']) notNegative(errors, `spec.${key}`, spec[key]);
  validateStrategy(errors, fieldsOf(spec['updateStrategy']));
  return errors;
}

function validateStrategy(errors: FieldError[], strategy: Draft): void {
  const field = 'spec.updateStrategy';
  if (strategy['type'] === 'OnDelete') return;
  if (strategy['type'] !== 'RollingUpdate') {
    errors.push(fieldError.notSupported(field, strategy, ['RollingUpdate', 'OnDelete']));
    return;
  }
  const rolling = fieldsOf(strategy['rollingUpdate']);
  for (const key of ['maxUnavailable', 'maxSurge']) {
    intOrPercent(errors, `${field}.rollingUpdate.${key}`, rolling[key]);
    atMost100Percent(errors, `${field}.rollingUpdate.${key}`, rolling[key]);
  }
  const unavailable = intOrPercentValue(rolling['maxUnavailable']) !== 0;
  const surge = intOrPercentValue(rolling['maxSurge']) !== 0;
  if (unavailable && surge)
    errors.push(
      fieldError.invalid(
        `${field}.rollingUpdate.maxSurge`,
        rolling['maxSurge'],
        'may not be set when maxUnavailable is non-zero',
      ),
    );
  else if (!unavailable && !surge)
    errors.push(fieldError.required(`${field}.rollingUpdate.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
}

/** Counters of nodes: none negative, none decremented that only grows. */
export function validateDaemonSetStatus(status: Draft): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
  ])
    notNegative(errors, `status.${key}`, status[key]);
  return errors;
}
