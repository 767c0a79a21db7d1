import { type FieldError, fieldError, jsonEqual, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { AdmissionPlugin } from '../admission.ts';
import { compileConditions } from '../expressions/match-conditions.ts';
import type { WebhookConfiguration } from './types.ts';

const kinds = new Set(['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']);

/** Refuses webhooks whose match conditions do not compile, as validation of the kinds does upstream. */
export const webhookConditions: AdmissionPlugin = {
  name: 'WebhookMatchConditions',
  handles: ({ resource, operation }) =>
    resource.group === 'admissionregistration.k8s.io' &&
    kinds.has(resource.resource) &&
    (operation === 'CREATE' || operation === 'UPDATE'),
  validate({ resource, object, oldObject }) {
    const { webhooks = [] } = object as unknown as WebhookConfiguration;
    if (oldObject && jsonEqual(oldObject['webhooks'], webhooks)) return;
    const errors: FieldError[] = [];
    for (const [index, { matchConditions }] of webhooks.entries())
      for (const [at, { expression, compiled }] of compileConditions(matchConditions, {
        params: false,
        authorizer: true,
      }).entries())
        if (compiled.error !== undefined)
          errors.push(
            fieldError.invalid(`webhooks[${index}].matchConditions[${at}].expression`, expression, compiled.error),
          );
    if (errors.length > 0) throw statusErrors.invalid(resource, object!['metadata'].name ?? '', errors);
  },
};
