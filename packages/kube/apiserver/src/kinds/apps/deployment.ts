import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { defaultPodTemplate } from '../core/pod-spec/defaults.ts';
import { templateWarnings } from '../core/pod-spec/warnings.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, workloadWideColumns } from '../table/columns.ts';
import { containerCells, ratio, selectorText } from '../table/format.ts';
import { fieldsOf, numberOf, specOf, statusOf } from '../values.ts';
import { validateDeployment, validateSelectorUnchanged } from './deployment-validation.ts';
import { validateReplicaStatus } from './workload-validation.ts';

function defaultDeployment(deployment: Draft): void {
  const spec = child(deployment, 'spec');
  setDefault(spec, 'replicas', 1);
  const strategy = child(spec, 'strategy');
  setDefault(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = child(strategy, 'rollingUpdate');
    setDefault(rolling, 'maxUnavailable', '25%');
    setDefault(rolling, 'maxSurge', '25%');
  }
  setDefault(spec, 'revisionHistoryLimit', 10);
  setDefault(spec, 'progressDeadlineSeconds', 600);
  defaultPodTemplate(spec);
}

export const deployment: KindBehaviour = {
  defaults: defaultDeployment,
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: validateDeployment,
  validateUpdate: validateSelectorUnchanged,
  status: {
    validate: (object, old) =>
      validateReplicaStatus(statusOf(object), statusOf(old), ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  },
  generation: true,
  warnings: templateWarnings('Pod names and hostnames'),
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Ready', 'Ready pods of wanted pods.'),
    text('Up-to-date', 'Pods made from the current template.'),
    text('Available', 'Pods ready long enough to count.'),
    ageColumn,
    ...workloadWideColumns,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const status = statusOf(object);
    return [
      nameOf(object),
      ratio(status['readyReplicas'], spec['replicas']),
      numberOf(status['updatedReplicas']),
      numberOf(status['availableReplicas']),
      ageOf(object, now),
      ...containerCells(fieldsOf(spec['template'])['spec']),
      selectorText(spec['selector']),
    ];
  },
};
