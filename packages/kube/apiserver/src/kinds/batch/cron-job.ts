import type { KindBehaviour } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { since } from '../human-duration.ts';
import { ageColumn, ageOf, flag, integer, nameColumn, nameOf, text, workloadWideColumns } from '../table/columns.ts';
import { boolText, containerCells, formatLabelSelector, orNone } from '../table/format.ts';
import { fieldsOf, isSet, listOf, specOf, statusOf, textOf } from '../values.ts';
import { validateCronJob } from './cron-job-validation.ts';
import { defaultJobSpec } from './job.ts';

export const cronJob: KindBehaviour = {
  defaults: (draft) => {
    const spec = child(draft, 'spec');
    setDefault(spec, 'concurrencyPolicy', 'Allow');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'successfulJobsHistoryLimit', 3);
    setDefault(spec, 'failedJobsHistoryLimit', 1);
    defaultJobSpec(child(child(spec, 'jobTemplate'), 'spec'));
  },
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: validateCronJob,
  status: {},
  generation: true,
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Schedule', 'When it runs, in cron syntax.'),
    text('Timezone', 'Time zone of the schedule.'),
    flag('Suspend', 'Whether it is paused.'),
    integer('Active', 'Jobs running now.'),
    text('Last Schedule', 'When it ran last.'),
    ageColumn,
    ...workloadWideColumns,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const status = statusOf(object);
    const jobSpec = fieldsOf(fieldsOf(spec['jobTemplate'])['spec']);
    return [
      nameOf(object),
      textOf(spec['schedule']),
      orNone(spec['timeZone']),
      boolText(spec['suspend']),
      listOf(status['active']).length,
      isSet(status['lastScheduleTime']) ? since(status['lastScheduleTime'], now) : '<none>',
      ageOf(object, now),
      ...containerCells(fieldsOf(jobSpec['template'])['spec']),
      formatLabelSelector(jobSpec['selector']),
    ];
  },
};
