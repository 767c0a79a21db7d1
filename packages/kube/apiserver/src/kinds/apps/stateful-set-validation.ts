import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Label } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { notNegative, required, supported, format } from '../rules/checks.ts';
import { validateClaimSpec } from '../core/persistent-volume-validation.ts';
import { fieldsOf, isSet, listOf, specOf, textOf, isEmpty } from '../values.ts';
import { validateSelector, validateServingTemplate } from './workload-validation.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

export function validateStatefulSet(statefulSet: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(statefulSet);
  const management = textOf(spec['podManagementPolicy']);
  if (
    required(errors, 'spec.podManagementPolicy', management) &&
    management !== 'OrderedReady' &&
    management !== 'Parallel'
  )
    errors.push(fieldError.invalid('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'"));
  const strategy = fieldsOf(spec['updateStrategy']);
  const rolling = strategy['rollingUpdate'];
  if (strategy['type'] === 'RollingUpdate')
    notNegative(errors, 'spec.updateStrategy.rollingUpdate.partition', fieldsOf(rolling)['partition']);
  else if (strategy['type'] === 'OnDelete') {
    if (isSet(rolling))
      errors.push(
        fieldError.invalid(
          'spec.updateStrategy.rollingUpdate',
          rolling,
          "only allowed for updateStrategy 'RollingUpdate'",
        ),
      );
  } else errors.push(fieldError.invalid('spec.updateStrategy', strategy, "must be 'RollingUpdate' or 'OnDelete'"));
  const retention = fieldsOf(spec['persistentVolumeClaimRetentionPolicy']);
  for (const key of ['whenDeleted', 'whenScaled'])
    supported(errors, `spec.persistentVolumeClaimRetentionPolicy.${key}`, retention[key], ['Retain', 'Delete']);
  if (!isEmpty(spec['serviceName'])) format(errors, 'spec.serviceName', spec['serviceName'], isDNS1123Label);
  for (const key of ['replicas', 'minReadySeconds']) notNegative(errors, `spec.${key}`, spec[key]);
  notNegative(errors, 'spec.ordinals.start', fieldsOf(spec['ordinals'])['start']);
  validateSelector(errors, spec['selector'], 'spec.selector', 'statefulset');
  validateServingTemplate(errors, withClaims(spec), 'spec.template', 'StatefulSet');
  for (const [index, template] of listOf(spec['volumeClaimTemplates']).entries())
    errors.push(...validateClaimSpec(specOf(template), `spec.volumeClaimTemplates[${index}].spec`));
  return errors;
}

/** Containers may mount what the claim templates will bring; a claim replaces a volume of the same name. */
function withClaims(spec: Draft): Draft {
  const names = new Set(
    listOf(spec['volumeClaimTemplates']).map((claim) => textOf(fieldsOf(claim['metadata'])['name'])),
  );
  if (names.size === 0) return spec;
  const template = fieldsOf(spec['template']);
  const podSpec = fieldsOf(template['spec']);
  const own = listOf(podSpec['volumes']).filter((volume) => !names.has(textOf(volume['name'])));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes: [...own, ...claims] } } };
}

const mutable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

/** Pods and claims carry names and identities that were made from the rest of the spec. */
export function validateStatefulSetUpdate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const spec = { ...specOf(object) };
  const before = { ...specOf(old) };
  for (const key of mutable) {
    delete spec[key];
    delete before[key];
  }
  if (semanticEqual(spec, before)) return [];
  const quoted = mutable.map((key) => `'${key}'`);
  const last = quoted.pop();
  return [
    fieldError.forbidden(
      'spec',
      `updates to statefulset spec for fields other than ${quoted.join(', ')} and ${last} are forbidden`,
    ),
  ];
}
