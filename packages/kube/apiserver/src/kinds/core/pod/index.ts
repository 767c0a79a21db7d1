import type { KindBehaviour } from '../../behaviour.ts';
import { fieldsOf, listOf, specOf, statusOf, textOf } from '../../values.ts';
import { hostnameWarning, podSpecWarnings } from '../pod-spec/warnings.ts';
import { podCells, podColumns } from './columns.ts';
import { defaultPod } from './defaults.ts';
import { podGracePeriod } from './grace-period.ts';
import { validatePod, validatePodStatus, validatePodUpdate } from './validation.ts';
import { preparePodForCreate, preparePodForUpdate, preparePodStatus } from './strategy.ts';

export const pod: KindBehaviour = {
  defaults: defaultPod,
  prepareForCreate: preparePodForCreate,
  prepareForUpdate: preparePodForUpdate,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  status: { prepare: preparePodStatus, validate: validatePodStatus },
  generation: true,
  selectableFields: {
    'spec.nodeName': (object) => textOf(specOf(object)['nodeName']),
    'spec.restartPolicy': (object) => textOf(specOf(object)['restartPolicy']),
    'spec.schedulerName': (object) => textOf(specOf(object)['schedulerName']),
    'spec.serviceAccountName': (object) => textOf(specOf(object)['serviceAccountName']),
    'spec.hostNetwork': (object) => String(specOf(object)['hostNetwork'] === true),
    'status.phase': (object) => textOf(statusOf(object)['phase']),
    'status.podIP': (object) => textOf(fieldsOf(listOf(statusOf(object)['podIPs'])[0])['ip']),
    'status.nominatedNodeName': (object) => textOf(statusOf(object)['nominatedNodeName']),
  },
  warnings: (object, old) =>
    old === undefined
      ? [...hostnameWarning(object, "the Pod's hostname"), ...podSpecWarnings(specOf(object), 'spec')]
      : [],
  unconditionalUpdate: true,
  gracePeriod: podGracePeriod,
  columns: podColumns,
  cells: podCells,
};
