import {
  type HostedCluster,
  joinedErrors,
  type OperatorFacts,
  pauseOf,
  unsupportedFields,
  validConfiguration,
} from '@hypershift-ts/hypershift-api';
import type { corev1, FieldError } from '@hypershift-ts/kube-apimachinery';
import { fails, holds, type Verdict } from './verdict.ts';

/** Whether the operator works on the cluster at all. */
export function reconciliationActive({ spec }: HostedCluster, now: Date): Verdict {
  const type = 'ReconciliationActive';
  const pause = pauseOf(spec.pausedUntil);
  if (pause === 'forever') return fails(type, 'ReconciliationPaused', 'Reconciliation paused until field removed');
  if (typeof pause === 'object' && pause.until > now)
    return fails(type, 'ReconciliationPaused', `Reconciliation paused until: ${spec.pausedUntil}`);
  return pause === 'invalid'
    ? holds(type, 'Invalid value provided for PausedUntil field', 'InvalidPausedUntilValue')
    : holds(type, 'Reconciliation active on resource');
}

/** How long a pause lasts from now on; undefined when it ends with an edit only, or there is none. */
export function pauseLeftMs({ spec }: HostedCluster, now: Date): number | undefined {
  const pause = pauseOf(spec.pausedUntil);
  if (typeof pause !== 'object') return undefined;
  return Math.max(0, pause.until.getTime() - now.getTime());
}

export function validConfigurationVerdict(errors: readonly FieldError[]): Verdict {
  return { type: 'ValidConfiguration', ...validConfiguration(errors) };
}

export function supported(cluster: HostedCluster, operator: OperatorFacts): Verdict {
  const errors = unsupportedFields(cluster, operator);
  return errors.length === 0
    ? holds('SupportedHostedCluster', 'HostedCluster is supported by operator configuration')
    : fails('SupportedHostedCluster', 'UnsupportedHostedCluster', joinedErrors(errors));
}

/** Whether the CA bundle of a proxy can be used; `problem` is what a parser found. */
export function validProxy({ metadata, spec }: HostedCluster, problem: string | undefined): Verdict {
  const type = 'ValidProxyConfiguration';
  if (!spec.configuration?.proxy?.trustedCA?.name) return holds(type, 'No proxy CA bundle configured');
  return problem === undefined
    ? holds(type, 'Proxy CA bundle is valid')
    : fails(
        type,
        'ProxyCABundleInvalid',
        `Proxy CA bundle is invalid for HostedCluster ${metadata.namespace}/${metadata.name}: ${problem}`,
      );
}

const etcdKeys = [
  ['etcd-client.crt', 'client cert'],
  ['etcd-client.key', 'client key'],
  ['etcd-client-ca.crt', 'client ca'],
] as const;

/** Whether a foreign etcd can be reached with what was given; undefined with an etcd of our own. */
export function unmanagedEtcd({ spec }: HostedCluster, secret: corev1.Secret | undefined): Verdict | undefined {
  if (spec.etcd.managementType !== 'Unmanaged') return undefined;
  const wrong = (message: string) => fails('UnmanagedEtcdAvailable', 'UnmanagedEtcdMisconfigured', message);
  const name = spec.etcd.unmanaged?.tls?.clientSecret?.name;
  if (!name || !spec.etcd.unmanaged?.endpoint) return wrong('etcd metadata not specified for unmanaged deployment');
  if (!secret) return wrong(`missing TLS client secret ${name}`);
  const missing = etcdKeys.find(([key]) => secret.data?.[key] === undefined);
  if (missing) return wrong(`etcd secret ${name} does not have ${missing[1]}`);
  return holds('UnmanagedEtcdAvailable', '', 'UnmanagedEtcdAsExpected');
}

/** Whether the credentials of the platform could be written. */
export function platformCredentialsFound(failure: unknown): Verdict {
  return failure === undefined
    ? holds('PlatformCredentialsFound', 'Required platform credentials are found')
    : fails('PlatformCredentialsFound', 'PlatformCredentialsNotFound', textOf(failure));
}

/** How the reconcile itself went. The reason of success is misspelt since its first release, and read by clients. */
export function reconciliationSucceeded(failure: unknown): Verdict {
  return failure === undefined
    ? holds('ReconciliationSucceeded', 'Reconciliation completed successfully', 'ReconciliatonSucceeded')
    : fails('ReconciliationSucceeded', 'ReconciliationError', textOf(failure));
}

const textOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));
