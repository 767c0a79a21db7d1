import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { defaultPodTemplate } from '../core/pod-spec/defaults.ts';
import { templateWarnings } from '../core/pod-spec/warnings.ts';
import { child, items, maybe, setDefault } from '../defaulting.ts';
import { humanDuration } from '../human-duration.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, workloadWideColumns } from '../table/columns.ts';
import { containerCells, formatLabelSelector } from '../table/format.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, specOf, statusOf, textOf } from '../values.ts';
import { prepareJobForCreate } from './job-strategy.ts';
import { validateJob, validateJobUpdate } from './job-validation.ts';

/** Fills in a job's spec; a job that takes its template's labels as its own is a habit of the old API. */
function defaultJob(job: Draft): void {
  const spec = child(job, 'spec');
  if (!isSet(spec['completions']) && !isSet(spec['parallelism'])) spec['completions'] = 1;
  setDefault(spec, 'parallelism', 1);
  setDefault(spec, 'backoffLimit', isSet(spec['backoffLimitPerIndex']) ? 2_147_483_647 : 6);
  const labels = maybe(maybe(maybe(spec, 'template'), 'metadata'), 'labels');
  const metadata = child(job, 'metadata');
  if (labels && isEmpty(metadata['labels'])) metadata['labels'] = { ...labels };
  setDefault(spec, 'completionMode', 'NonIndexed');
  setDefault(spec, 'suspend', false);
  setDefault(spec, 'podReplacementPolicy', isSet(spec['podFailurePolicy']) ? 'Failed' : 'TerminatingOrFailed');
  setDefault(spec, 'manualSelector', false);
  defaultJobSpec(spec);
}

/** The part of a job's defaults that also applies inside a CronJob. */
export function defaultJobSpec(spec: Draft): void {
  for (const rule of items(maybe(spec, 'podFailurePolicy'), 'rules'))
    for (const pattern of items(rule, 'onPodConditions')) setDefault(pattern, 'status', 'True');
  defaultPodTemplate(spec);
}

function completions(spec: Draft, status: Draft): string {
  const succeeded = numberOf(status['succeeded']);
  if (isSet(spec['completions'])) return `${succeeded}/${spec['completions']}`;
  const parallelism = numberOf(spec['parallelism']);
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(status: Draft, now: number): string {
  const start = Date.parse(textOf(status['startTime']));
  if (Number.isNaN(start)) return '';
  const end = Date.parse(textOf(status['completionTime']));
  return humanDuration((Number.isNaN(end) ? now : end) - start);
}

function statusText(job: UnstructuredObject, status: Draft): string {
  const has = (type: string) =>
    listOf(status['conditions']).find((condition) => condition['type'] === type)?.['status'] === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (has('Suspended')) return 'Suspended';
  if (has('FailureTarget')) return 'FailureTarget';
  if (has('SuccessCriteriaMet')) return 'SuccessCriteriaMet';
  return 'Running';
}

export const job: KindBehaviour = {
  defaults: defaultJob,
  prepareForCreate: prepareJobForCreate,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  status: {},
  generation: true,
  selectableFields: { 'status.successful': (object) => String(numberOf(statusOf(object)['succeeded'])) },
  warnings: templateWarnings('Pod names and hostnames'),
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Status', 'What the job is doing.'),
    text('Completions', 'Succeeded pods of wanted ones.'),
    text('Duration', 'How long it ran.'),
    ageColumn,
    ...workloadWideColumns,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const status = statusOf(object);
    return [
      nameOf(object),
      statusText(object, status),
      completions(spec, status),
      duration(status, now),
      ageOf(object, now),
      ...containerCells(fieldsOf(spec['template'])['spec']),
      formatLabelSelector(spec['selector']),
    ];
  },
};
