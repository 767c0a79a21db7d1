import type { Draft, KindBehaviour } from '../behaviour.ts';
import { defaultClaimSpec } from '../core/claim-spec.ts';
import { defaultPodTemplate } from '../core/pod-spec/defaults.ts';
import { templateWarnings } from '../core/pod-spec/warnings.ts';
import { child, items, maybe, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, workloadWideColumns } from '../table/columns.ts';
import { containerCells, ratio } from '../table/format.ts';
import { fieldsOf, specOf, statusOf } from '../values.ts';
import { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set-validation.ts';
import { validateReplicaStatus } from './workload-validation.ts';

function defaultStatefulSet(statefulSet: Draft): void {
  const spec = child(statefulSet, 'spec');
  setDefault(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = child(spec, 'updateStrategy');
  if (!strategy['type']) {
    strategy['type'] = 'RollingUpdate';
    child(strategy, 'rollingUpdate');
  }
  const rolling = maybe(strategy, 'rollingUpdate');
  if (strategy['type'] === 'RollingUpdate' && rolling) {
    setDefault(rolling, 'partition', 0);
    setDefault(rolling, 'maxUnavailable', 1);
  }
  const retention = child(spec, 'persistentVolumeClaimRetentionPolicy');
  setDefault(retention, 'whenDeleted', 'Retain');
  setDefault(retention, 'whenScaled', 'Retain');
  setDefault(spec, 'replicas', 1);
  setDefault(spec, 'revisionHistoryLimit', 10);
  defaultPodTemplate(spec);
  for (const template of items(spec, 'volumeClaimTemplates')) {
    if (Object.isFrozen(template)) continue;
    const metadata = maybe(template, 'metadata');
    if (metadata?.['creationTimestamp'] === null) delete metadata['creationTimestamp'];
    template['apiVersion'] = 'v1';
    template['kind'] = 'PersistentVolumeClaim';
    defaultClaimSpec(child(template, 'spec'));
    template['status'] = { phase: 'Pending' };
  }
}

export const statefulSet: KindBehaviour = {
  defaults: defaultStatefulSet,
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0, availableReplicas: 0 };
  },
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  status: {
    validate: (object, old) =>
      validateReplicaStatus(statusOf(object), statusOf(old), ['readyReplicas', 'currentReplicas', 'updatedReplicas']),
  },
  generation: true,
  warnings: templateWarnings('Pod names and hostnames'),
  unconditionalUpdate: true,
  columns: [nameColumn, text('Ready', 'Ready pods of wanted pods.'), ageColumn, ...workloadWideColumns.slice(0, 2)],
  cells: (object, now) => {
    const spec = specOf(object);
    return [
      nameOf(object),
      ratio(statusOf(object)['readyReplicas'], spec['replicas']),
      ageOf(object, now),
      ...containerCells(fieldsOf(spec['template'])['spec']),
    ];
  },
};
