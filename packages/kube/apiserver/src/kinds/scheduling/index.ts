import type { KindBehaviour } from '../behaviour.ts';
import { setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, flag, integer, nameColumn, nameOf, text } from '../table/columns.ts';
import { numberOf, textOf } from '../values.ts';

const priorityClass: KindBehaviour = {
  defaults: (draft) => setDefault(draft, 'preemptionPolicy', 'PreemptLowerPriority'),
  generation: true,
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    integer('Value', 'Priority of pods of this class.'),
    flag('Global-Default', 'Whether pods without a class get it.'),
    ageColumn,
    text('PreemptionPolicy', 'Whether its pods push others out.'),
  ],
  cells: (object, now) => [
    nameOf(object),
    numberOf(object['value']),
    object['globalDefault'] === true,
    ageOf(object, now),
    textOf(object['preemptionPolicy']),
  ],
};

export const schedulingKinds: Readonly<Record<string, KindBehaviour>> = {
  'priorityclasses.scheduling.k8s.io': priorityClass,
};
