import { finalizers, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { type ReconcileResult, removeFinalizer } from '@hypershift-ts/kube-controller';
import type { Pass } from './pass.ts';

/** Lets a HostedControlPlane go; what it owns goes with it. */
export async function deleteControlPlane(pass: Pass, _clock: Clock): Promise<ReconcileResult> {
  await removeFinalizer(pass.client, hostedControlPlanes, pass.hcp, finalizers.hypershift.key);
  return undefined;
}
