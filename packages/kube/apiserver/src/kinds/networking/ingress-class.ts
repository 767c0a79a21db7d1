import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { isSet, specOf, fieldsOf, textOf } from '../values.ts';

import { validateIngressClass, validateIngressClassUpdate } from './other-validation.ts';

const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';

function parameters(object: UnstructuredObject): string {
  const spec = specOf(object);
  if (!isSet(spec['parameters'])) return '<none>';
  const reference = fieldsOf(spec['parameters']);
  const kind = isSet(reference['apiGroup']) ? `${reference['kind']}.${reference['apiGroup']}` : reference['kind'];
  return `${kind}/${textOf(reference['name'])}`;
}

export const ingressClass: KindBehaviour = {
  defaults: (draft) => {
    const reference = maybe(child(draft, 'spec'), 'parameters');
    if (reference) setDefault(reference, 'scope', 'Cluster');
  },
  validate: validateIngressClass,
  validateUpdate: validateIngressClassUpdate,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Controller', 'Controller that implements the class.'),
    text('Parameters', 'Where its parameters are.'),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.annotations?.[defaultAnnotation] === 'true' ? `${nameOf(object)} (default)` : nameOf(object),
    textOf(specOf(object)['controller']),
    parameters(object),
    ageOf(object, now),
  ],
};
