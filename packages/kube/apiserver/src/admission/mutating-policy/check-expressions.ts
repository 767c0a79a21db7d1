import { type FieldError, fieldError, jsonEqual, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { AdmissionPlugin } from '../admission.ts';
import type { Compiled } from '../expressions/environment.ts';
import { type CompiledMutatingPolicy, compileMutatingPolicy, type MutatingPolicySpec } from './compile.ts';

/** Refuses a MutatingAdmissionPolicy whose expressions do not compile, as validation of the kind does upstream. */
export const mutatingPolicyExpressions: AdmissionPlugin = {
  name: 'MutatingAdmissionPolicyExpressions',
  handles: ({ resource, operation, subresource }) =>
    resource.group === 'admissionregistration.k8s.io' &&
    resource.resource === 'mutatingadmissionpolicies' &&
    subresource === '' &&
    (operation === 'CREATE' || operation === 'UPDATE'),
  validate({ resource, object, oldObject }) {
    const spec = (object!['spec'] ?? {}) as MutatingPolicySpec;
    if (oldObject && jsonEqual(oldObject['spec'], spec)) return;
    const errors = expressionErrors(compileMutatingPolicy(spec));
    if (errors.length > 0) throw statusErrors.invalid(resource, object!['metadata'].name ?? '', errors);
  },
};

function expressionErrors({ spec, conditions, variables, mutations }: CompiledMutatingPolicy): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, source: string, { error }: Compiled): void => {
    if (error !== undefined) errors.push(fieldError.invalid(field, source, error));
  };
  conditions.forEach(({ expression, compiled }, index) =>
    check(`spec.matchConditions[${index}].expression`, expression, compiled),
  );
  variables.list.forEach(({ compiled }, index) =>
    check(`spec.variables[${index}].expression`, spec.variables![index]!.expression, compiled),
  );
  mutations.forEach(({ patchType, expression, compiled }, index) => {
    const key = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    check(`spec.mutations[${index}].${key}.expression`, expression, compiled);
  });
  return errors;
}
