import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { notNegative, required, supportedOrMissing } from '../rules/checks.ts';
import { fieldsOf, isSet, specOf, textOf } from '../values.ts';
import { scheduleFault } from './cron-schedule.ts';
import { validateJobSpec } from './job-validation.ts';

const longestName = 52;

export function validateCronJob(cronJob: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(cronJob);
  const name = cronJob.metadata.name ?? '';
  const schedule = textOf(spec['schedule']);
  if (required(errors, 'spec.schedule', schedule)) {
    const fault = scheduleFault(schedule);
    if (fault !== undefined) errors.push(fieldError.invalid('spec.schedule', schedule, fault));
    if (schedule.includes('TZ'))
      errors.push(
        fieldError.invalid(
          'spec.schedule',
          schedule,
          'cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
        ),
      );
  }
  validateTimeZone(errors, spec['timeZone']);
  supportedOrMissing(errors, 'spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace']);
  for (const key of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'])
    notNegative(errors, `spec.${key}`, spec[key]);
  const jobSpec = fieldsOf(fieldsOf(spec['jobTemplate'])['spec']);
  errors.push(...validateJobSpec(jobSpec, 'spec.jobTemplate.spec'));
  if (isSet(jobSpec['selector']))
    errors.push(
      fieldError.invalid('spec.jobTemplate.spec.selector', jobSpec['selector'], '`selector` will be auto-generated'),
    );
  if (jobSpec['manualSelector'] === true)
    errors.push(fieldError.notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']));
  // Eleven characters are left for the time stamp in the names of its jobs.
  if (name.length > longestName)
    errors.push(fieldError.invalid('metadata.name', name, `must be no more than ${longestName} characters`));
  return errors;
}

function validateTimeZone(errors: FieldError[], zone: unknown): void {
  if (typeof zone !== 'string') return;
  const invalid = (detail: string) => errors.push(fieldError.invalid('spec.timeZone', zone, detail));
  if (zone === '') invalid('timeZone must be nil or non-empty string');
  else if (zone.toLowerCase() === 'local')
    invalid('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  else if (!isTimeZone(zone)) invalid(`unknown time zone ${zone}`);
}

function isTimeZone(zone: string): boolean {
  // The Intl API also knows offsets such as "+01:00", which are no zone names.
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
