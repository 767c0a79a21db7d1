import type { KindBehaviour } from '../behaviour.ts';
import { setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, flag, integer, nameColumn, nameOf, text } from '../table/columns.ts';
import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { immutable, supported } from '../rules/checks.ts';
import { numberOf, textOf } from '../values.ts';

const highestUserPriority = 1_000_000_000;
const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

const priorityClass: KindBehaviour = {
  defaults: (draft) => setDefault(draft, 'preemptionPolicy', 'PreemptLowerPriority'),
  validate: (object) => {
    const errors: FieldError[] = [];
    const name = nameOf(object);
    const value = numberOf(object['value']);
    if (name.startsWith('system-')) {
      if (systemPriorities[name] !== value)
        errors.push(
          fieldError.forbidden(
            'metadata.name',
            `priority class names with 'system-' prefix are reserved for system use only. error: ${
              Object.hasOwn(systemPriorities, name)
                ? `value of ${name} PriorityClass must be ${systemPriorities[name]}`
                : `${name} is not a known system priority class`
            }`,
          ),
        );
    } else if (value > highestUserPriority)
      errors.push(
        fieldError.forbidden('value', `maximum allowed value of a user defined priority is ${highestUserPriority}`),
      );
    supported(errors, 'preemptionPolicy', object['preemptionPolicy'], ['Never', 'PreemptLowerPriority']);
    return errors;
  },
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    if (object['value'] !== old['value'])
      errors.push(fieldError.forbidden('value', 'may not be changed in an update.'));
    immutable(errors, 'preemptionPolicy', object['preemptionPolicy'], old['preemptionPolicy']);
    return errors;
  },
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
