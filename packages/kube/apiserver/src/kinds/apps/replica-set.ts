import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { defaultPodTemplate } from '../core/pod-spec/defaults.ts';
import { templateWarnings } from '../core/pod-spec/warnings.ts';
import { formatLabelSelector } from '../table/format.ts';
import { replicaTable } from '../table/replica-table.ts';
import { specOf, statusOf } from '../values.ts';
import { notNegative } from '../rules/checks.ts';
import { validateSelectorUnchanged } from './deployment-validation.ts';
import { validateReplicaStatus, validateSelector, validateServingTemplate } from './workload-validation.ts';

function validateReplicaSet(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object);
  notNegative(errors, 'spec.replicas', spec['replicas']);
  notNegative(errors, 'spec.minReadySeconds', spec['minReadySeconds']);
  // The real server says "deployment" here as well.
  validateSelector(errors, spec['selector'], 'spec.selector', 'deployment');
  validateServingTemplate(errors, spec, 'spec.template', 'ReplicaSet');
  return errors;
}

export const replicaSet: KindBehaviour = {
  defaults: (draft) => {
    const spec = child(draft, 'spec');
    setDefault(spec, 'replicas', 1);
    defaultPodTemplate(spec);
  },
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0 };
  },
  validate: validateReplicaSet,
  validateUpdate: validateSelectorUnchanged,
  status: {
    validate: (object, old) =>
      validateReplicaStatus(statusOf(object), statusOf(old), [
        'fullyLabeledReplicas',
        'readyReplicas',
        'availableReplicas',
      ]),
  },
  generation: true,
  warnings: templateWarnings('Pod names and hostnames'),
  unconditionalUpdate: true,
  ...replicaTable(formatLabelSelector),
};
