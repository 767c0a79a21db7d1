import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { notNegative, positive } from '../rules/checks.ts';
import { isEmpty, specOf, textOf } from '../values.ts';

const lease: KindBehaviour = {
  validate: (object) => {
    const errors: FieldError[] = [];
    const spec = specOf(object);
    positive(errors, 'spec.leaseDurationSeconds', spec['leaseDurationSeconds']);
    notNegative(errors, 'spec.leaseTransitions', spec['leaseTransitions']);
    if (!isEmpty(spec['preferredHolder']) && isEmpty(spec['strategy']))
      errors.push(fieldError.forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
    return errors;
  },
  createOnUpdate: true,
  columns: [nameColumn, text('Holder', 'Who holds the lease.'), ageColumn],
  cells: (object, now) => [nameOf(object), textOf(specOf(object)['holderIdentity']), ageOf(object, now)],
};

export const coordinationKinds: Readonly<Record<string, KindBehaviour>> = {
  'leases.coordination.k8s.io': lease,
};
