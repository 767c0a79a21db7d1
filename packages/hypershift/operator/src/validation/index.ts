/** What must hold before anything is made for a cluster, and what happens when it does not. */
import { type HostedCluster, type HostedClusterFacts, validateHostedCluster } from '@hypershift-ts/hypershift-api';
import { PlatformError, platformFor } from '@hypershift-ts/hypershift-platforms';
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { Verdict } from '../conditions/index.ts';

/** Everything wrong with a cluster: the general checks and those of its platform. */
export function configurationErrors(cluster: HostedCluster, facts: HostedClusterFacts): readonly FieldError[] {
  const general = validateHostedCluster(cluster, facts);
  if (!cluster.spec?.platform) return general;
  try {
    return [...general, ...platformFor(cluster.spec.platform.type).validate(cluster)];
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return [...general, fieldError.forbidden(error.field, `${error.message}; ${error.fix}`)];
  }
}

/** Whether operations may run: go on, stop and wait for an edit, or stop with an error that is tried again. */
export type Gate =
  | { readonly open: true }
  | { readonly open: false; readonly retry: boolean; readonly message: string };

const open: Gate = { open: true };

/** The gates in front of all operations, from the conditions of this reconcile. */
export function operationsGate(verdicts: readonly Verdict[]): Gate {
  const failed = (type: Verdict['type']) => verdicts.find((one) => one.type === type && one.status === 'False');
  const configuration = failed('ValidConfiguration');
  // Retried, because much of it depends on objects that are not watched.
  if (configuration) return { open: false, retry: true, message: configuration.message };
  const supported = failed('SupportedHostedCluster');
  if (supported) return { open: false, retry: false, message: supported.message };
  const release = failed('ValidReleaseImage');
  // Without the pull secret a running cluster is still looked after, as far as that goes.
  if (release && release.reason !== 'SecretNotFound') return { open: false, retry: false, message: release.message };
  const progressing = failed('Progressing');
  if (progressing?.reason === 'Blocked' && !release) return { open: false, retry: false, message: progressing.message };
  return open;
}
