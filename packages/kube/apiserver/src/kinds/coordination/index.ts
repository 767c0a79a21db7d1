import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { specOf, textOf } from '../values.ts';

const lease: KindBehaviour = {
  createOnUpdate: true,
  columns: [nameColumn, text('Holder', 'Who holds the lease.'), ageColumn],
  cells: (object, now) => [nameOf(object), textOf(specOf(object)['holderIdentity']), ageOf(object, now)],
};

export const coordinationKinds: Readonly<Record<string, KindBehaviour>> = {
  'leases.coordination.k8s.io': lease,
};
