import { type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import type { KubeObject, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import type { GuestScope } from './options.ts';

/** The one key of controllers that look at the hosted cluster as a whole: its control plane. */
export function controlPlaneKey({ options }: GuestScope): ObjectKey {
  return { namespace: options.namespace, name: options.hostedControlPlaneName };
}

/** Whether an object in the namespace is the control plane this operator belongs to. */
export function isOwnControlPlane({ options }: GuestScope): (object: KubeObject) => boolean {
  return ({ metadata }) => metadata.name === options.hostedControlPlaneName;
}

export function controlPlaneOf(scope: GuestScope): HostedControlPlane | undefined {
  const { namespace } = scope.options;
  return scope.management.get(hostedControlPlanes, controlPlaneKey(scope), { namespace });
}

/** Whether the user stopped reconciliation; `until` when it goes on by itself. */
export function pauseOf({ spec }: HostedControlPlane, nowMs: number): { readonly leftMs?: number } | undefined {
  const { pausedUntil } = spec;
  if (pausedUntil === undefined || pausedUntil === '') return undefined;
  if (pausedUntil === 'true') return {};
  const until = /^\d{4}-\d{2}-\d{2}T/.test(pausedUntil) ? Date.parse(pausedUntil) : Number.NaN;
  return until > nowMs ? { leftMs: until - nowMs } : undefined;
}
