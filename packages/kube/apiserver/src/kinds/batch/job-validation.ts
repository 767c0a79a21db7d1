import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, validateLabelSelector } from '@hypershift-ts/kube-apimachinery';
import { validateSelectorMatchesTemplate } from '../apps/workload-validation.ts';
import type { Draft } from '../behaviour.ts';
import { validatePodTemplate } from '../core/pod-spec/validation.ts';
import { immutable, notNegative, required, supported } from '../rules/checks.ts';
import { fieldsOf, isSet, listOf, numberOf, specOf, statusOf, textOf } from '../values.ts';
import { controllerUidLabels, jobNameLabels } from './job-strategy.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

export function validateJob(job: UnstructuredObject): readonly FieldError[] {
  const spec = specOf(job);
  const errors = validateJobSpec(spec, 'spec');
  if (!isSet(spec['selector'])) errors.push(fieldError.required('spec.selector'));
  else errors.push(...validateLabelSelector(fieldsOf(spec['selector']), 'spec.selector'));
  const labels = fieldsOf(fieldsOf(fieldsOf(spec['template'])['metadata'])['labels']);
  validateSelectorMatchesTemplate(errors, spec['selector'], labels, 'spec.template');
  if (spec['manualSelector'] !== true) validateGeneratedLabels(errors, job, labels);
  return errors;
}

/** Labels the server makes must say what the server would have said. */
function validateGeneratedLabels(errors: FieldError[], job: UnstructuredObject, labels: Draft): void {
  const expect = (key: string, value: string) => {
    const field = `spec.template.metadata.labels[${key}]`;
    if (!Object.hasOwn(labels, key))
      errors.push(fieldError.required('spec.template.metadata.labels', `must be '${value}'`));
    else if (labels[key] !== value) errors.push(fieldError.invalid(field, labels[key], `must be '${value}'`));
  };
  for (const key of controllerUidLabels) expect(key, job.metadata.uid ?? '');
  for (const key of jobNameLabels) expect(key, job.metadata.name ?? '');
}

const counters = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;
const maxIndexedParallelism = 100_000;

/** A job's spec, in a Job or in a CronJob's template. */
export function validateJobSpec(spec: Draft, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of counters) notNegative(errors, `${field}.${key}`, spec[key]);
  if (isSet(spec['maxFailedIndexes']) && !isSet(spec['backoffLimitPerIndex']))
    errors.push(fieldError.required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  supported(errors, `${field}.completionMode`, spec['completionMode'], ['NonIndexed', 'Indexed']);
  if (spec['completionMode'] === 'Indexed') validateIndexed(errors, spec, field);
  else
    for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'])
      if (isSet(spec[key]))
        errors.push(fieldError.invalid(`${field}.${key}`, spec[key], 'requires indexed completion mode'));
  const failurePolicy = isSet(spec['podFailurePolicy']);
  supported(
    errors,
    `${field}.podReplacementPolicy`,
    spec['podReplacementPolicy'],
    failurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'],
  );
  if (failurePolicy) validateFailurePolicy(errors, spec, `${field}.podFailurePolicy`);
  errors.push(...validatePodTemplate(fieldsOf(spec['template']), `${field}.template`));
  const restart = textOf(fieldsOf(fieldsOf(spec['template'])['spec'])['restartPolicy']);
  const restartField = `${field}.template.spec.restartPolicy`;
  if (restart === 'Always' || restart === '')
    errors.push(fieldError.required(restartField, 'valid values: "OnFailure", "Never"'));
  else if (restart !== 'OnFailure' && restart !== 'Never')
    errors.push(fieldError.notSupported(restartField, restart, ['OnFailure', 'Never']));
  else if (failurePolicy && restart !== 'Never')
    errors.push(
      fieldError.invalid(restartField, restart, 'only "Never" is supported when podFailurePolicy is specified'),
    );
  return errors;
}

function validateIndexed(errors: FieldError[], spec: Draft, field: string): void {
  const { completions, parallelism, maxFailedIndexes } = spec;
  if (!isSet(completions)) errors.push(fieldError.required(`${field}.completions`, 'when completion mode is Indexed'));
  if (numberOf(parallelism) > maxIndexedParallelism)
    errors.push(
      fieldError.invalid(
        `${field}.parallelism`,
        parallelism,
        `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`,
      ),
    );
  if (isSet(completions) && isSet(maxFailedIndexes) && maxFailedIndexes > completions)
    errors.push(
      fieldError.invalid(`${field}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'),
    );
  if (isSet(spec['successPolicy']))
    required(
      errors,
      `${field}.successPolicy.rules`,
      fieldsOf(spec['successPolicy'])['rules'],
      'at least one rules must be specified when the successPolicy is specified',
    );
}

const failureActions = ['Count', 'FailIndex', 'FailJob', 'Ignore'] as const;

function validateFailurePolicy(errors: FieldError[], spec: Draft, field: string): void {
  const podSpec = fieldsOf(fieldsOf(spec['template'])['spec']);
  const names = new Set(
    [...listOf(podSpec['containers']), ...listOf(podSpec['initContainers'])].map((container) => container['name']),
  );
  listOf(fieldsOf(spec['podFailurePolicy'])['rules']).forEach((rule, index) => {
    const path = `${field}.rules[${index}]`;
    const action = textOf(rule['action']);
    if (action === '')
      errors.push(fieldError.required(`${path}.action`, 'valid values: ["Count" "FailIndex" "FailJob" "Ignore"]'));
    else if (action === 'FailIndex' && !isSet(spec['backoffLimitPerIndex']))
      errors.push(fieldError.invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
    else supported(errors, `${path}.action`, action, failureActions);
    const exitCodes = rule['onExitCodes'];
    const conditions = listOf(rule['onPodConditions']);
    if (isSet(exitCodes)) {
      const codes = fieldsOf(exitCodes);
      supported(errors, `${path}.onExitCodes.operator`, textOf(codes['operator']), ['In', 'NotIn']);
      if (isSet(codes['containerName']) && !names.has(codes['containerName']))
        errors.push(
          fieldError.invalid(
            `${path}.onExitCodes.containerName`,
            codes['containerName'],
            'must be one of the container or initContainer names in the pod template',
          ),
        );
      if (!Array.isArray(codes['values']) || codes['values'].length === 0)
        errors.push(
          fieldError.invalid(`${path}.onExitCodes.values`, codes['values'] ?? null, 'at least one value is required'),
        );
    }
    conditions.forEach((pattern, at) =>
      supported(errors, `${path}.onPodConditions[${at}].status`, pattern['status'], ['False', 'True', 'Unknown']),
    );
    if (isSet(exitCodes) && conditions.length > 0)
      errors.push(fieldError.invalidOmitted(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
    if (!isSet(exitCodes) && conditions.length === 0)
      errors.push(fieldError.invalidOmitted(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  });
}

/** A job's pods already run: only how many at a time, for how long and whether at all can change. */
export function validateJobUpdate(job: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(job);
  const before = specOf(old);
  validateCompletions(errors, spec, before);
  immutable(errors, 'spec.selector', spec['selector'], before['selector']);
  // Before its first start a suspended job may still be steered to other nodes.
  const steerable = before['suspend'] === true && !isSet(statusOf(old)['startTime']);
  const template = steerable ? withSchedulingOf(spec['template'], before['template']) : spec['template'];
  if (!semanticEqual(template, before['template'])) immutable(errors, 'spec.template', template, before['template']);
  for (const key of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'])
    immutable(errors, `spec.${key}`, spec[key], before[key]);
  return errors;
}

function validateCompletions(errors: FieldError[], spec: Draft, before: Draft): void {
  if (semanticEqual(spec['completions'], before['completions'])) return;
  const elastic = before['completionMode'] === 'Indexed' && isSet(spec['completions']);
  if (!elastic) immutable(errors, 'spec.completions', spec['completions'], before['completions']);
  else if (spec['completions'] !== spec['parallelism'])
    errors.push(
      fieldError.invalid(
        'spec.completions',
        spec['completions'],
        'can only be modified in tandem with spec.parallelism',
      ),
    );
}

function withSchedulingOf(template: unknown, before: unknown): Draft {
  const result: Draft = { ...fieldsOf(template) };
  const old = fieldsOf(before);
  const metadata: Draft = { ...fieldsOf(result['metadata']) };
  const spec: Draft = { ...fieldsOf(result['spec']) };
  const copy = (to: Draft, from: Draft, key: string) => {
    if (from[key] === undefined) delete to[key];
    else to[key] = from[key];
  };
  for (const key of ['labels', 'annotations']) copy(metadata, fieldsOf(old['metadata']), key);
  for (const key of ['nodeSelector', 'tolerations', 'schedulingGates', 'affinity'])
    copy(spec, fieldsOf(old['spec']), key);
  result['metadata'] = metadata;
  result['spec'] = spec;
  return result;
}
