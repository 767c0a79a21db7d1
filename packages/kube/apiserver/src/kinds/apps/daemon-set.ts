import { jsonEqual, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { defaultPodTemplate } from '../core/pod-spec/defaults.ts';
import { templateWarnings } from '../core/pod-spec/warnings.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf, text, workloadWideColumns } from '../table/columns.ts';
import { containerCells, formatLabelSelector, formatLabels } from '../table/format.ts';
import { fieldsOf, numberOf, specOf, statusOf } from '../values.ts';
import { validateDaemonSet, validateDaemonSetStatus } from './daemon-set-validation.ts';
import { validateSelectorUnchanged } from './deployment-validation.ts';

/** Counts the templates a daemon set has had; kept for clients of the API before apps/v1. */
const templateGeneration = 'deprecated.daemonset.template.generation';

function countTemplate(draft: Draft, old: UnstructuredObject): void {
  const metadata = child(draft, 'metadata');
  const before = Number(old.metadata.annotations?.[templateGeneration] ?? 1);
  const changed = !jsonEqual(specOf(draft)['template'], specOf(old)['template']);
  const count = String(changed ? before + 1 : before);
  if (metadata['annotations']?.[templateGeneration] !== count)
    metadata['annotations'] = { ...metadata['annotations'], [templateGeneration]: count };
}

function defaultDaemonSet(daemonSet: Draft): void {
  setDefault(child(child(daemonSet, 'metadata'), 'annotations'), templateGeneration, '1');
  const spec = child(daemonSet, 'spec');
  const strategy = child(spec, 'updateStrategy');
  setDefault(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = child(strategy, 'rollingUpdate');
    setDefault(rolling, 'maxUnavailable', 1);
    setDefault(rolling, 'maxSurge', 0);
  }
  setDefault(spec, 'revisionHistoryLimit', 10);
  defaultPodTemplate(spec);
}

export const daemonSet: KindBehaviour = {
  defaults: defaultDaemonSet,
  prepareForCreate: (draft) => {
    draft['status'] = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };
  },
  prepareForUpdate: countTemplate,
  validate: validateDaemonSet,
  validateUpdate: validateSelectorUnchanged,
  status: { validate: (object) => validateDaemonSetStatus(statusOf(object)) },
  generation: true,
  warnings: templateWarnings(),
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    integer('Desired', 'Nodes that should run a pod.'),
    integer('Current', 'Nodes that have a pod.'),
    integer('Ready', 'Nodes whose pod is ready.'),
    integer('Up-to-date', 'Nodes whose pod is made from the current template.'),
    integer('Available', 'Nodes whose pod is available.'),
    text('Node Selector', 'Labels a node must have.'),
    ageColumn,
    ...workloadWideColumns,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const status = statusOf(object);
    const podSpec = fieldsOf(fieldsOf(spec['template'])['spec']);
    return [
      nameOf(object),
      numberOf(status['desiredNumberScheduled']),
      numberOf(status['currentNumberScheduled']),
      numberOf(status['numberReady']),
      numberOf(status['updatedNumberScheduled']),
      numberOf(status['numberAvailable']),
      formatLabels(podSpec['nodeSelector']),
      ageOf(object, now),
      ...containerCells(podSpec),
      formatLabelSelector(spec['selector']),
    ];
  },
};
