import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isCIdentifier,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  parseApiVersion,
  validateLabelSelector,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required, supported, supportedOrMissing } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, specOf, stringsOf, textOf } from '../values.ts';
import { validateMatchConditions, validateRule } from './rule-validation.ts';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'] as const;
const maxAuditAnnotations = 20;

/** A ValidatingAdmissionPolicy, all but the compilation of its expressions. */
export function validateValidatingPolicy(policy: UnstructuredObject): readonly FieldError[] {
  const spec = specOf(policy);
  const errors = validatePolicyFrame(spec);
  const validations = listOf(spec['validations']);
  const annotations = listOf(spec['auditAnnotations']);
  if (validations.length === 0 && annotations.length === 0)
    for (const key of ['validations', 'auditAnnotations'])
      errors.push(fieldError.required(`spec.${key}`, 'validations or auditAnnotations must contain at least one item'));
  validations.forEach((validation, index) => validateValidation(errors, validation, `spec.validations[${index}]`));
  if (annotations.length > maxAuditAnnotations)
    errors.push(
      fieldError.invalid(
        'spec.auditAnnotations',
        annotations,
        `must not have more than ${maxAuditAnnotations} auditAnnotations`,
      ),
    );
  const keys = new Set<string>();
  annotations.forEach((annotation, index) => {
    const field = `spec.auditAnnotations[${index}]`;
    const key = textOf(annotation['key']);
    required(errors, `${field}.key`, key);
    required(
      errors,
      `${field}.valueExpression`,
      textOf(annotation['valueExpression']).trim(),
      'valueExpression is not specified',
    );
    if (keys.has(key)) errors.push(fieldError.duplicate(`${field}.key`, key));
    keys.add(key);
  });
  return errors;
}

export function validateMutatingPolicy(policy: UnstructuredObject): readonly FieldError[] {
  const spec = specOf(policy);
  const errors = validatePolicyFrame(spec);
  const mutations = listOf(spec['mutations']);
  if (mutations.length === 0)
    errors.push(fieldError.required('spec.mutations', 'mutations must contain at least one item'));
  mutations.forEach((mutation, index) => {
    const field = `spec.mutations[${index}]`;
    const type = textOf(mutation['patchType']);
    supportedOrMissing(errors, `${field}.patchType`, type, ['ApplyConfiguration', 'JSONPatch']);
    for (const [patch, key] of [
      ['JSONPatch', 'jsonPatch'],
      ['ApplyConfiguration', 'applyConfiguration'],
    ] as const) {
      if (type === patch) {
        if (required(errors, `${field}.${key}`, mutation[key], `must be specified when patchType is ${patch}`))
          required(errors, `${field}.${key}.expression`, textOf(fieldsOf(mutation[key])['expression']).trim());
      } else if (isSet(mutation[key]) && type !== '')
        errors.push(
          fieldError.invalid(`${field}.${key}`, `{${key}}`, `must not be specified when patchType is ${type}`),
        );
    }
  });
  supportedOrMissing(errors, 'spec.reinvocationPolicy', spec['reinvocationPolicy'], ['IfNeeded', 'Never']);
  return errors;
}

function validatePolicyFrame(spec: Draft): FieldError[] {
  const errors: FieldError[] = [];
  supportedOrMissing(errors, 'spec.failurePolicy', spec['failurePolicy'], ['Fail', 'Ignore']);
  if (isSet(spec['paramKind'])) validateParamKind(errors, fieldsOf(spec['paramKind']));
  if (!isSet(spec['matchConstraints'])) errors.push(fieldError.required('spec.matchConstraints'));
  else {
    const constraints = fieldsOf(spec['matchConstraints']);
    validateMatchResources(errors, constraints, 'spec.matchConstraints');
    required(errors, 'spec.matchConstraints.resourceRules', constraints['resourceRules']);
  }
  validateMatchConditions(errors, spec['matchConditions'], 'spec.matchConditions');
  const names = new Set<string>();
  listOf(spec['variables']).forEach((variable, index) => {
    const field = `spec.variables[${index}]`;
    const name = textOf(variable['name']);
    if (required(errors, `${field}.name`, name, 'name is not specified')) {
      if (isCIdentifier(name).length > 0)
        errors.push(fieldError.invalid(`${field}.name`, name, 'must be a valid CEL identifier'));
      if (names.has(name)) errors.push(fieldError.duplicate(`${field}.name`, name));
      names.add(name);
    }
    required(errors, `${field}.expression`, textOf(variable['expression']).trim(), 'expression is not specified');
  });
  return errors;
}

function validateParamKind(errors: FieldError[], kind: Draft): void {
  const apiVersion = textOf(kind['apiVersion']);
  if (required(errors, 'spec.paramKind.apiVersion', apiVersion)) {
    const { group, version } = parseApiVersion(apiVersion);
    if (group !== '') format(errors, 'spec.paramKind.apiVersion', group, isDNS1123Subdomain);
    if (version === '')
      errors.push(fieldError.invalid('spec.paramKind.apiVersion', apiVersion, 'version must be specified'));
    else format(errors, 'spec.paramKind.apiVersion', version, isDNS1035Label);
  }
  const name = textOf(kind['kind']);
  if (!required(errors, 'spec.paramKind.kind', name)) return;
  const messages = isDNS1035Label(name.toLowerCase());
  if (messages.length > 0)
    errors.push(
      fieldError.invalid(
        'spec.paramKind.kind',
        name,
        `may have mixed case, but should otherwise match: ${messages.join(',')}`,
      ),
    );
}

function validateValidation(errors: FieldError[], validation: Draft, field: string): void {
  const expression = textOf(validation['expression']).trim();
  const message = validation['message'];
  required(errors, `${field}.expression`, expression, 'expression is not specified');
  if (!isEmpty(validation['messageExpression']) && textOf(validation['messageExpression']).trim() === '')
    errors.push(
      fieldError.invalid(
        `${field}.messageExpression`,
        validation['messageExpression'],
        'must be non-empty if specified',
      ),
    );
  if (!isEmpty(message)) {
    if (textOf(message).trim() === '')
      errors.push(fieldError.invalid(`${field}.message`, message, 'must be non-empty if specified'));
    else if (/[\n\r]/.test(textOf(message)))
      errors.push(fieldError.invalid(`${field}.message`, message, 'must not contain line breaks'));
  } else if (/[\n\r]/.test(expression) && isEmpty(validation['messageExpression']))
    errors.push(
      fieldError.required(`${field}.message`, 'message must be specified if expression contains line breaks'),
    );
  supported(errors, `${field}.reason`, validation['reason'], reasons);
}

function validateMatchResources(errors: FieldError[], resources: Draft, field: string): void {
  supportedOrMissing(errors, `${field}.matchPolicy`, resources['matchPolicy'], ['Equivalent', 'Exact']);
  for (const key of ['namespaceSelector', 'objectSelector'])
    errors.push(...validateLabelSelector(fieldsOf(resources[key]), `${field}.${key}`));
  for (const key of ['resourceRules', 'excludeResourceRules'])
    listOf(resources[key]).forEach((rule, index) => {
      const path = `${field}.${key}[${index}]`;
      validateRule(errors, rule, path);
      const seen = new Set<string>();
      stringsOf(rule['resourceNames']).forEach((name, at) => {
        format(errors, `${path}.resourceNames[${at}]`, name, isPathSegmentName);
        if (seen.has(name)) errors.push(fieldError.duplicate(`${path}.resourceNames[${at}]`, name));
        seen.add(name);
      });
    });
}

/** A binding of either kind of policy; only validating ones choose what happens on failure. */
export function validatePolicyBinding(binding: UnstructuredObject, validating: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(binding);
  if (required(errors, 'spec.policyName', spec['policyName']))
    format(errors, 'spec.policyName', spec['policyName'], isDNS1123Subdomain);
  if (isSet(spec['paramRef'])) validateParamRef(errors, fieldsOf(spec['paramRef']));
  if (isSet(spec['matchResources']))
    validateMatchResources(errors, fieldsOf(spec['matchResources']), 'spec.matchResources');
  if (validating) validateActions(errors, stringsOf(spec['validationActions']));
  return errors;
}

function validateActions(errors: FieldError[], actions: readonly string[]): void {
  const field = 'spec.validationActions';
  actions.forEach((action, index) => {
    supported(errors, `${field}[${index}]`, action, ['Audit', 'Deny', 'Warn']);
    if (actions.indexOf(action) < index) errors.push(fieldError.duplicate(`${field}[${index}]`, action));
  });
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      fieldError.invalid(
        field,
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    );
  if (actions.length === 0) errors.push(fieldError.required(field, 'at least one validation action is required'));
}

function validateParamRef(errors: FieldError[], reference: Draft): void {
  const field = 'spec.paramRef';
  const named = !isEmpty(reference['name']);
  const selected = isSet(reference['selector']);
  if (named) format(errors, `${field}.name`, reference['name'], isPathSegmentName);
  if (named && selected)
    for (const key of ['name', 'selector'])
      errors.push(fieldError.forbidden(`${field}.${key}`, 'name and selector are mutually exclusive'));
  if (selected) errors.push(...validateLabelSelector(fieldsOf(reference['selector']), `${field}.selector`));
  if (!named && !selected) errors.push(fieldError.required(field, 'one of name or selector must be specified'));
  supportedOrMissing(errors, `${field}.parameterNotFoundAction`, reference['parameterNotFoundAction'], [
    'Deny',
    'Allow',
  ]);
}
