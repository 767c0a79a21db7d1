import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import type { Authorizer, RbacIndex } from '../authorization/index.ts';
import type { Converter } from '../custom-resources/serve.ts';
import { AdmissionChain, type AdmissionPlugin } from './admission.ts';
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from './certificates/index.ts';
import { conversionWebhook } from './conversion-webhook/index.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class/index.ts';
import { defaultTolerations } from './default-tolerations/index.ts';
import { limitRanger } from './limit-ranger/index.ts';
import type { Lookup } from './lookup.ts';
import { mutatingPolicyExpressions } from './mutating-policy/check-expressions.ts';
import { MutatingPolicies } from './mutating-policy/index.ts';
import { namespaceLifecycle } from './namespace-lifecycle/index.ts';
import { nodeRestriction } from './node-restriction/index.ts';
import { podSecurity } from './pod-security/index.ts';
import { priority } from './priority/index.ts';
import { rbacEscalation } from './rbac-escalation/index.ts';
import { ResourceQuotas } from './resource-quota/index.ts';
import { serviceAccount } from './service-account/index.ts';
import { storageObjectInUseProtection } from './storage-protection/index.ts';
import { taintNodesByCondition } from './taint-nodes/index.ts';
import { validatingPolicyExpressions } from './validating-policy/check-expressions.ts';
import { ValidatingPolicies } from './validating-policy/index.ts';
import { WatchedByNamespace } from './watched-by-namespace.ts';
import { webhookConditions } from './webhook/check-conditions.ts';
import { MutatingWebhooks } from './webhook/mutating.ts';
import { ValidatingWebhooks } from './webhook/validating.ts';
import { WebhookClient } from './webhook-client/index.ts';

export interface AdmissionOptions {
  readonly store: Store;
  readonly lookup: Lookup;
  readonly clock: Clock;
  readonly random: () => number;
  readonly authorizer: Authorizer;
  readonly rbac: RbacIndex | undefined;
  /** Plugin names of --disable-admission-plugins. */
  readonly disabled: readonly string[];
  readonly log: (message: string, error?: unknown) => void;
}

/** The admission of one server: plugins in order, and what keeps their knowledge fresh. */
export interface Admission {
  readonly plugins: readonly AdmissionPlugin[];
  /** Converts custom resources between versions, by webhook where the definition says so. */
  readonly convert?: Converter;
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

/** The plugins kube-apiserver turns on by default, as far as they concern what we serve. */
export function defaultAdmission(options: AdmissionOptions): Admission {
  const { disabled } = options;
  const enabled = ({ name }: AdmissionPlugin): boolean => !disabled.includes(name);
  const client = new WebhookClient(options);
  const limits = new WatchedByNamespace(options.store, options.clock, '', 'limitranges');
  const builtin = builtinPlugins(options, limits).filter(enabled);
  const chain = new AdmissionChain(builtin);
  const webhooks = { ...options, client };
  const mutations = new MutatingPolicies(options);
  const mutating = new MutatingWebhooks({
    ...webhooks,
    rerun: async (request, context) => {
      await chain.mutate(request, context);
      if (enabled(mutations.plugin)) await mutations.reinvoke(request, context);
    },
  });
  const policies = new ValidatingPolicies(options);
  const validating = new ValidatingWebhooks(webhooks);
  const quotas = new ResourceQuotas(options);
  const following = [limits, mutations, mutating, policies, validating, quotas];
  return {
    plugins: [
      ...builtin,
      ...[
        mutations.plugin,
        mutating.plugin,
        validatingPolicyExpressions,
        mutatingPolicyExpressions,
        webhookConditions,
        policies.plugin,
        validating.plugin,
      ].filter(enabled),
      ...(options.rbac ? [rbacEscalation(options.rbac, options.authorizer)] : []),
      // Last, so that nothing is charged for what somebody else refuses.
      ...[quotas.plugin].filter(enabled),
    ],
    convert: conversionWebhook(client),
    start: async () => {
      for (const part of following) await part.start();
    },
    stop: () => {
      for (const part of following) part.stop();
      client.close();
    },
  };
}

/** The plugins that need nobody's configuration, in kube-apiserver's order. */
function builtinPlugins(
  { lookup, random, authorizer }: AdmissionOptions,
  limits: WatchedByNamespace,
): AdmissionPlugin[] {
  return [
    namespaceLifecycle(lookup),
    limitRanger(limits),
    serviceAccount(lookup, random),
    nodeRestriction(lookup),
    taintNodesByCondition,
    podSecurity(lookup),
    priority(lookup),
    defaultTolerations,
    defaultStorageClass(lookup),
    storageObjectInUseProtection,
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    certificateSubjectRestriction,
    defaultIngressClass(lookup),
  ];
}
