import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
  validateLabelSelector,
  validateLabels,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { format, positive, qualifiedName, required, supported } from '../../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, stringsOf, textOf } from '../../values.ts';

/** Where a pod may run: node selector, affinity, tolerations, spreading, gates. */
export function validateScheduling(errors: FieldError[], spec: Draft, field: string): void {
  errors.push(...validateLabels(fieldsOf(spec['nodeSelector']), `${field}.nodeSelector`));
  if (!isEmpty(spec['nodeName'])) format(errors, `${field}.nodeName`, spec['nodeName'], isDNS1123Subdomain);
  const affinity = fieldsOf(spec['affinity']);
  validateNodeAffinity(errors, fieldsOf(affinity['nodeAffinity']), `${field}.affinity.nodeAffinity`);
  for (const kind of ['podAffinity', 'podAntiAffinity'])
    validatePodAffinity(errors, fieldsOf(affinity[kind]), `${field}.affinity.${kind}`);
  validateTolerations(errors, listOf(spec['tolerations']), `${field}.tolerations`);
  validateSpread(errors, listOf(spec['topologySpreadConstraints']), `${field}.topologySpreadConstraints`);
  const gates = new Set<string>();
  listOf(spec['schedulingGates']).forEach((gate, index) => {
    const path = `${field}.schedulingGates[${index}]`;
    const name = textOf(gate['name']);
    qualifiedName(errors, path, name);
    if (gates.has(name)) errors.push(fieldError.duplicate(path, name));
    gates.add(name);
  });
}

function validateNodeAffinity(errors: FieldError[], affinity: Draft, field: string): void {
  const requiredTerms = affinity['requiredDuringSchedulingIgnoredDuringExecution'];
  if (isSet(requiredTerms))
    validateNodeSelector(errors, fieldsOf(requiredTerms), `${field}.requiredDuringSchedulingIgnoredDuringExecution`);
  listOf(affinity['preferredDuringSchedulingIgnoredDuringExecution']).forEach((term, index) => {
    const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
    validateWeight(errors, term['weight'], path);
    validateNodeSelectorTerm(errors, fieldsOf(term['preference']), `${path}.preference`);
  });
}

/** A NodeSelector, as pods, volumes and others carry it. */
export function validateNodeSelector(errors: FieldError[], selector: Draft, field: string): void {
  const terms = listOf(selector['nodeSelectorTerms']);
  if (terms.length === 0)
    errors.push(fieldError.required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term'));
  terms.forEach((term, index) => validateNodeSelectorTerm(errors, term, `${field}.nodeSelectorTerms[${index}]`));
}

function validateNodeSelectorTerm(errors: FieldError[], term: Draft, field: string): void {
  listOf(term['matchExpressions']).forEach((requirement, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    const values = stringsOf(requirement['values']);
    switch (requirement['operator']) {
      case 'In':
      case 'NotIn':
        required(errors, `${path}.values`, values, "must be specified when `operator` is 'In' or 'NotIn'");
        break;
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0)
          errors.push(
            fieldError.forbidden(
              `${path}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          );
        break;
      case 'Gt':
      case 'Lt':
        if (values.length !== 1)
          errors.push(
            fieldError.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
          );
        break;
      default:
        errors.push(
          fieldError.invalid(`${path}.operator`, textOf(requirement['operator']), 'not a valid selector operator'),
        );
    }
    format(errors, `${path}.key`, requirement['key'], isQualifiedName);
    values.forEach((value, at) => format(errors, `${path}.values[${at}]`, value, isLabelValue));
  });
  listOf(term['matchFields']).forEach((requirement, index) => {
    const path = `${field}.matchFields[${index}]`;
    if (requirement['operator'] !== 'In' && requirement['operator'] !== 'NotIn')
      errors.push(
        fieldError.invalid(`${path}.operator`, textOf(requirement['operator']), 'not a valid selector operator'),
      );
    else if (stringsOf(requirement['values']).length !== 1)
      errors.push(
        fieldError.required(
          `${path}.values`,
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        ),
      );
    if (requirement['key'] !== 'metadata.name')
      errors.push(fieldError.invalid(`${path}.key`, textOf(requirement['key']), 'not a valid field selector key'));
  });
}

function validateWeight(errors: FieldError[], weight: unknown, field: string): void {
  const value = numberOf(weight);
  if (value < 1 || value > 100) errors.push(fieldError.invalid(`${field}.weight`, value, 'must be in the range 1-100'));
}

function validatePodAffinity(errors: FieldError[], affinity: Draft, field: string): void {
  listOf(affinity['requiredDuringSchedulingIgnoredDuringExecution']).forEach((term, index) => {
    validatePodAffinityTerm(errors, term, `${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`);
  });
  listOf(affinity['preferredDuringSchedulingIgnoredDuringExecution']).forEach((weighted, index) => {
    const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
    validateWeight(errors, weighted['weight'], path);
    validatePodAffinityTerm(errors, fieldsOf(weighted['podAffinityTerm']), `${path}.podAffinityTerm`);
  });
}

function validatePodAffinityTerm(errors: FieldError[], term: Draft, field: string): void {
  errors.push(...validateLabelSelector(fieldsOf(term['labelSelector']), `${field}.labelSelector`));
  errors.push(...validateLabelSelector(fieldsOf(term['namespaceSelector']), `${field}.namespaceSelector`));
  for (const name of stringsOf(term['namespaces'])) format(errors, `${field}.namespace`, name, isDNS1123Label);
  validateTopologyKey(errors, term['topologyKey'], `${field}.topologyKey`);
}

function validateTopologyKey(errors: FieldError[], key: unknown, field: string): void {
  if (required(errors, field, key, 'can not be empty')) format(errors, field, key, isQualifiedName);
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

export function validateTolerations(errors: FieldError[], tolerations: readonly Draft[], field: string): void {
  tolerations.forEach((toleration, index) => {
    const path = `${field}[${index}]`;
    const key = textOf(toleration['key']);
    const operator = textOf(toleration['operator']);
    const value = textOf(toleration['value']);
    const effect = textOf(toleration['effect']);
    if (key !== '') format(errors, `${path}.key`, key, isQualifiedName);
    else if (operator !== 'Exists')
      errors.push(
        fieldError.invalid(
          `${path}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (isSet(toleration['tolerationSeconds']) && effect !== 'NoExecute')
      errors.push(
        fieldError.invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    if (operator === 'Equal' || operator === '') {
      const messages = isLabelValue(value);
      if (messages.length > 0) errors.push(fieldError.invalid(`${path}.operator`, value, messages.join(';')));
    } else if (operator === 'Exists') {
      if (value !== '')
        errors.push(fieldError.invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else errors.push(fieldError.notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
    if (effect !== '') supported(errors, `${path}.effect`, effect, effects);
  });
}

function validateSpread(errors: FieldError[], constraints: readonly Draft[], field: string): void {
  const seen = new Set<string>();
  constraints.forEach((constraint, index) => {
    const path = `${field}[${index}]`;
    const action = textOf(constraint['whenUnsatisfiable']);
    positive(errors, `${path}.maxSkew`, numberOf(constraint['maxSkew']));
    validateTopologyKey(errors, constraint['topologyKey'], `${path}.topologyKey`);
    if (action !== 'DoNotSchedule' && action !== 'ScheduleAnyway')
      errors.push(fieldError.notSupported(`${path}.whenUnsatisfiable`, action, ['DoNotSchedule', 'ScheduleAnyway']));
    const key = `{${textOf(constraint['topologyKey'])}, ${action}}`;
    if (seen.has(key)) errors.push(fieldError.duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, key));
    seen.add(key);
    if (isSet(constraint['minDomains'])) {
      positive(errors, `${path}.minDomains`, constraint['minDomains']);
      if (action !== 'DoNotSchedule')
        errors.push(
          fieldError.invalid(
            `${path}.minDomains`,
            constraint['minDomains'],
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
          ),
        );
    }
    for (const policy of ['nodeAffinityPolicy', 'nodeTaintsPolicy'])
      supported(errors, `${path}.${policy}`, constraint[policy], ['Honor', 'Ignore']);
    errors.push(...validateLabelSelector(fieldsOf(constraint['labelSelector']), `${path}.labelSelector`));
  });
}
