import type { Draft, KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { notNegative, positive } from '../rules/checks.ts';
import { specOf, textOf } from '../values.ts';

/** Coordinated leader election is off by default, and its fields are dropped. */
function dropCoordination(draft: Draft): void {
  delete draft['spec']?.strategy;
  delete draft['spec']?.preferredHolder;
}

const lease: KindBehaviour = {
  prepareForCreate: dropCoordination,
  prepareForUpdate: dropCoordination,
  validate: (object) => {
    const errors: FieldError[] = [];
    const spec = specOf(object);
    positive(errors, 'spec.leaseDurationSeconds', spec['leaseDurationSeconds']);
    notNegative(errors, 'spec.leaseTransitions', spec['leaseTransitions']);
    return errors;
  },
  createOnUpdate: true,
  columns: [nameColumn, text('Holder', 'Who holds the lease.'), ageColumn],
  cells: (object, now) => [nameOf(object), textOf(specOf(object)['holderIdentity']), ageOf(object, now)],
};

export const coordinationKinds: Readonly<Record<string, KindBehaviour>> = {
  'leases.coordination.k8s.io': lease,
};
