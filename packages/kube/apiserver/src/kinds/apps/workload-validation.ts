import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { compileLabelSelector, fieldError, validateLabelSelector } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { validatePodTemplate } from '../core/pod-spec/validation.ts';
import { notNegative } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, numberOf, textOf } from '../values.ts';

/** True when the labels match; a selector that cannot be compiled is reported elsewhere and matches. */
function selectorMatches(selector: unknown, labels: unknown): boolean {
  try {
    return compileLabelSelector(fieldsOf(selector)).matches(fieldsOf(labels));
  } catch {
    return true;
  }
}

/** A workload's selector: there, not empty, and well formed. */
export function validateSelector(errors: FieldError[], selector: unknown, field: string, kind: string): void {
  if (!isSet(selector)) {
    errors.push(fieldError.required(field));
    return;
  }
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  errors.push(...validateLabelSelector(fieldsOf(selector), field));
  if (isEmpty(matchLabels) && isEmpty(matchExpressions))
    errors.push(fieldError.invalid(field, selector, `empty selector is invalid for ${kind}`));
}

/** The template of pods that run until somebody stops them. */
export function validateServingTemplate(errors: FieldError[], spec: Draft, field: string, kind: string): void {
  const template = fieldsOf(spec['template']);
  const labels = fieldsOf(template['metadata'])['labels'];
  const podSpec = fieldsOf(template['spec']);
  validateSelectorMatchesTemplate(errors, spec['selector'], labels, field);
  errors.push(...validatePodTemplate(template, field));
  if (podSpec['restartPolicy'] !== 'Always')
    errors.push(fieldError.notSupported(`${field}.spec.restartPolicy`, textOf(podSpec['restartPolicy']), ['Always']));
  if (isSet(podSpec['activeDeadlineSeconds']))
    errors.push(
      fieldError.forbidden(`${field}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`),
    );
}

export function validateSelectorMatchesTemplate(
  errors: FieldError[],
  selector: unknown,
  labels: unknown,
  field: string,
): void {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  if (isEmpty(matchLabels) && isEmpty(matchExpressions)) return;
  if (!selectorMatches(selector, labels))
    errors.push(fieldError.invalid(`${field}.metadata.labels`, labels, '`selector` does not match template `labels`'));
}

/** Counters of a status: none negative, none above the total, none decremented that only grow. */
export function validateReplicaStatus(status: Draft, old: Draft, counters: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const total = numberOf(status['replicas']);
  for (const key of ['replicas', 'observedGeneration', ...counters]) notNegative(errors, `status.${key}`, status[key]);
  for (const key of counters)
    if (numberOf(status[key]) > total)
      errors.push(fieldError.invalid(`status.${key}`, numberOf(status[key]), 'cannot be greater than status.replicas'));
  if (numberOf(status['availableReplicas']) > numberOf(status['readyReplicas']))
    errors.push(
      fieldError.invalid(
        'status.availableReplicas',
        numberOf(status['availableReplicas']),
        'cannot be greater than readyReplicas',
      ),
    );
  if (numberOf(status['collisionCount']) < numberOf(old['collisionCount']))
    errors.push(
      fieldError.invalid('status.collisionCount', numberOf(status['collisionCount']), 'cannot be decremented'),
    );
  return errors;
}
