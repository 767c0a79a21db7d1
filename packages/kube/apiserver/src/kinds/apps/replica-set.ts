import type { KindBehaviour } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { defaultPodTemplate } from '../core/pod-spec/defaults.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf, workloadWideColumns } from '../table/columns.ts';
import { containerCells, formatLabelSelector } from '../table/format.ts';
import { fieldsOf, numberOf, specOf, statusOf } from '../values.ts';

export const replicaSet: KindBehaviour = {
  defaults: (draft) => {
    const spec = child(draft, 'spec');
    setDefault(spec, 'replicas', 1);
    defaultPodTemplate(spec);
  },
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
      formatLabelSelector(spec['selector']),
    ];
  },
};
