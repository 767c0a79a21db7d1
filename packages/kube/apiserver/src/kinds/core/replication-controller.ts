import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf, workloadWideColumns } from '../table/columns.ts';
import { containerCells, formatLabels } from '../table/format.ts';
import { fieldsOf, isEmpty, numberOf, specOf, statusOf } from '../values.ts';
import { defaultPodTemplate } from './pod-spec/defaults.ts';

/** A controller without selector or labels of its own takes those of its template. */
function defaultController(controller: Draft): void {
  const spec = child(controller, 'spec');
  const labels = maybe(maybe(maybe(spec, 'template'), 'metadata'), 'labels');
  if (labels) {
    if (isEmpty(spec['selector'])) spec['selector'] = { ...labels };
    const metadata = child(controller, 'metadata');
    if (isEmpty(metadata['labels'])) metadata['labels'] = { ...labels };
  }
  setDefault(spec, 'replicas', 1);
  setDefault(spec, 'minReadySeconds', 0);
  if (maybe(spec, 'template')) defaultPodTemplate(spec);
}

export const replicationController: KindBehaviour = {
  defaults: defaultController,
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0 };
  },
  status: {},
  generation: true,
  selectableFields: { 'status.replicas': (object) => String(numberOf(statusOf(object)['replicas'])) },
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    integer('Desired', 'Pods wanted.'),
    integer('Current', 'Pods that exist.'),
    integer('Ready', 'Pods that are ready.'),
    ageColumn,
    ...workloadWideColumns,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    const status = statusOf(object);
    return [
      nameOf(object),
      numberOf(spec['replicas']),
      numberOf(status['replicas']),
      numberOf(status['readyReplicas']),
      ageOf(object, now),
      ...containerCells(fieldsOf(spec['template'])['spec']),
      formatLabels(spec['selector']),
    ];
  },
};
