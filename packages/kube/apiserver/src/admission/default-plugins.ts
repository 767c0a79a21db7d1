import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import type { Authorizer, RbacIndex } from '../authorization/index.ts';
import type { Converter } from '../custom-resources/serve.ts';
import type { AdmissionPlugin } from './admission.ts';
import { defaultTolerations } from './default-tolerations/index.ts';
import type { Lookup } from './lookup.ts';
import { namespaceLifecycle } from './namespace-lifecycle/index.ts';
import { priority } from './priority/index.ts';
import { serviceAccount } from './service-account/index.ts';
import { ValidatingPolicies } from './validating-policy/index.ts';

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
  const { lookup, random, disabled } = options;
  const policies = new ValidatingPolicies(options);
  const following = [policies];
  const plugins = [
    namespaceLifecycle(lookup),
    serviceAccount(lookup, random),
    priority(lookup),
    defaultTolerations,
    policies.plugin,
  ];
  return {
    plugins: plugins.filter(({ name }) => !disabled.includes(name)),
    start: async () => {
      for (const part of following) await part.start();
    },
    stop: () => {
      for (const part of following) part.stop();
    },
  };
}
