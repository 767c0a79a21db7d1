import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { notNegative, required } from '../rules/checks.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { formatLabels } from '../table/format.ts';
import { replicaTable } from '../table/replica-table.ts';
import { fieldsOf, isEmpty, numberOf, specOf, statusOf } from '../values.ts';
import { defaultPodTemplate } from './pod-spec/defaults.ts';
import { validatePodTemplate } from './pod-spec/validation.ts';

/** A controller without selector or labels of its own takes those of its template. */
function defaultController(controller: Draft): void {
  const spec = child(controller, 'spec');
  const labels = maybe(maybe(maybe(spec, 'template'), 'metadata'), 'labels');
  if (labels) {
    if (isEmpty(spec['selector'])) spec['selector'] = { ...labels };
    const metadata = child(controller, 'metadata');
    if (isEmpty(metadata['labels'])) metadata['labels'] = { ...labels };
  }
  setDefault(spec, 'replicas', 1);
  if (maybe(spec, 'template')) defaultPodTemplate(spec);
}

function validateController(controller: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(controller);
  const selector = fieldsOf(spec['selector']);
  notNegative(errors, 'spec.minReadySeconds', spec['minReadySeconds']);
  required(errors, 'spec.selector', selector);
  notNegative(errors, 'spec.replicas', spec['replicas']);
  if (!required(errors, 'spec.template', spec['template'])) return errors;
  const template = fieldsOf(spec['template']);
  const labels = fieldsOf(fieldsOf(template['metadata'])['labels']);
  if (!Object.keys(selector).every((key) => labels[key] === selector[key]))
    errors.push(
      fieldError.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'),
    );
  errors.push(...validatePodTemplate(template, 'spec.template'));
  return errors;
}

export const replicationController: KindBehaviour = {
  defaults: defaultController,
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0 };
  },
  validate: validateController,
  status: {},
  generation: true,
  selectableFields: { 'status.replicas': (object) => String(numberOf(statusOf(object)['replicas'])) },
  unconditionalUpdate: true,
  ...replicaTable(formatLabels),
};
