import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, flag, nameColumn, nameOf, text } from '../table/columns.ts';
import { isEmpty, isSet, listOf, specOf, stringsOf, textOf } from '../values.ts';
import { validateCsiDriver, validateCsiDriverUpdate } from './validation.ts';

function defaultDriver(driver: Draft): void {
  const spec = child(driver, 'spec');
  setDefault(spec, 'attachRequired', true);
  setDefault(spec, 'podInfoOnMount', false);
  setDefault(spec, 'storageCapacity', false);
  setDefault(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
  if (isEmpty(spec['volumeLifecycleModes'])) spec['volumeLifecycleModes'] = ['Persistent'];
  setDefault(spec, 'requiresRepublish', false);
  setDefault(spec, 'seLinuxMount', false);
  setDefault(spec, 'preventPodSchedulingIfMissing', false);
}

export const csiDriver: KindBehaviour = {
  validate: validateCsiDriver,
  validateUpdate: validateCsiDriverUpdate,
  defaults: defaultDriver,
  generation: true,
  columns: [
    nameColumn,
    flag('AttachRequired', 'Whether volumes are attached before they are mounted.'),
    flag('PodInfoOnMount', 'Whether the driver is told about the pod.'),
    flag('StorageCapacity', 'Whether it reports free capacity.'),
    text('TokenRequests', 'Audiences it wants tokens for.'),
    flag('RequiresRepublish', 'Whether volumes are published again from time to time.'),
    text('Modes', 'Lifecycles it supports.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    return [
      nameOf(object),
      spec['attachRequired'] !== false,
      spec['podInfoOnMount'] === true,
      spec['storageCapacity'] === true,
      isSet(spec['tokenRequests'])
        ? listOf(spec['tokenRequests'])
            .map((request) => textOf(request['audience']))
            .join(',')
        : '<unset>',
      spec['requiresRepublish'] === true,
      stringsOf(spec['volumeLifecycleModes']).join(',') || '<none>',
      ageOf(object, now),
    ];
  },
};
