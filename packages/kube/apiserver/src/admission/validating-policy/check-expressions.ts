import { type FieldError, fieldError, jsonEqual, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { AdmissionPlugin } from '../admission.ts';
import type { Compiled } from '../expressions/environment.ts';
import { type CompiledPolicy, compilePolicy } from './compile.ts';
import type { PolicySpec } from './types.ts';

/** Refuses a ValidatingAdmissionPolicy whose expressions do not compile, as validation of the kind does upstream. */
export const validatingPolicyExpressions: AdmissionPlugin = {
  name: 'ValidatingAdmissionPolicyExpressions',
  handles: ({ resource, operation, subresource }) =>
    resource.group === 'admissionregistration.k8s.io' &&
    resource.resource === 'validatingadmissionpolicies' &&
    subresource === '' &&
    (operation === 'CREATE' || operation === 'UPDATE'),
  validate({ resource, object, oldObject }) {
    const spec = (object!['spec'] ?? {}) as PolicySpec;
    // What was accepted once stays writable, even when a later server would not accept it anew.
    if (oldObject && jsonEqual(oldObject['spec'], spec)) return;
    const errors = expressionErrors(compilePolicy(spec));
    if (errors.length > 0) throw statusErrors.invalid(resource, object!['metadata'].name ?? '', errors);
  },
};

/** Every expression of a policy that does not compile, with its field. */
export function expressionErrors(policy: CompiledPolicy): readonly FieldError[] {
  const { spec } = policy;
  const errors: FieldError[] = [];
  const check = (field: string, source: string, compiled: Compiled | undefined): void => {
    if (compiled?.error !== undefined) errors.push(fieldError.invalid(field, source, compiled.error));
  };
  policy.conditions.forEach(({ expression, compiled }, index) =>
    check(`spec.matchConditions[${index}].expression`, expression, compiled),
  );
  policy.variables.list.forEach(({ compiled }, index) =>
    check(`spec.variables[${index}].expression`, spec.variables![index]!.expression, compiled),
  );
  policy.validations.forEach(({ expression, compiled, messageExpression, messageCompiled }, index) => {
    check(`spec.validations[${index}].expression`, expression, compiled);
    check(`spec.validations[${index}].messageExpression`, messageExpression ?? '', messageCompiled);
  });
  policy.auditAnnotations.forEach(({ source, compiled }, index) =>
    check(`spec.auditAnnotations[${index}].valueExpression`, source, compiled),
  );
  return errors;
}
