import { finalizers, type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import type {
  CloudAccount,
  CloudAccounts,
  Platform,
  PrivateConnectivity,
  PrivateLinkSide,
} from '@hypershift-ts/hypershift-platforms';
import {
  type Condition,
  errorMessage,
  isConditionTrue,
  type ObjectKey,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import {
  type Controller,
  controller,
  ensureFinalizer,
  patchStatus,
  type ReconcileContext,
  removeFinalizer,
} from '@hypershift-ts/kube-controller';

/** Which of the two operators works on private links here. */
export type Side = 'offer' | 'connect';

const finalizerOf: { readonly [side in Side]: string } = {
  offer: finalizers.hypershiftOperator.key,
  connect: finalizers.controlPlaneOperator.key,
};

export interface PrivateLinkOptions {
  readonly platform: Platform;
  readonly side: Side;
  readonly accounts: CloudAccounts;
  /** All when absent. */
  readonly namespace?: string;
}

/** Works on one side of the private links of a platform; nothing where the platform has none. */
export function privateLinkController(options: PrivateLinkOptions): Controller | undefined {
  const { platform, side, namespace } = options;
  const type = platform.traits.privateConnectivity?.type;
  const link = platform.privateLink;
  if (!type || !link) return undefined;
  const work = link[side];
  const scope = namespace ? { namespace } : {};
  // The side of the nodes can only connect to what is offered.
  const needs = side === 'connect' ? link.offer.conditions : [];
  return controller<PrivateConnectivity, [HostedControlPlane]>({
    name: `private-link-${side}-${type.resource}`,
    for: { type, ...scope },
    watches: [
      {
        type: hostedControlPlanes,
        ...scope,
        map: ({ metadata }, { cache }) => cache.list(type, metadata.namespace, scope).map(keyIn),
      },
    ],
    async reconcile(key, context) {
      const live = context.cache.get(type, key, scope);
      const [hcp] = context.cache.list(hostedControlPlanes, key.namespace, scope);
      if (!live) return;
      const account = options.accounts(platform.type);
      const side = { type, work, finalizer: finalizerOf[options.side], account, cloud: platform.type };
      if (live.metadata.deletionTimestamp) return letGo(live, side, context);
      if (!hcp || hcp.metadata.deletionTimestamp || needs.some((one) => !isConditionTrue(live.status?.conditions, one)))
        return;
      await make(live, hcp, side, context);
    },
  });
}

interface Work {
  readonly type: ResourceType<PrivateConnectivity>;
  readonly work: PrivateLinkSide;
  readonly finalizer: string;
  readonly account: CloudAccount | undefined;
  readonly cloud: string;
}

const keyIn = ({ metadata }: PrivateConnectivity): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
});

async function letGo(
  live: PrivateConnectivity,
  { type, work, finalizer, account }: Omit<Work, 'cloud'>,
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
): Promise<void> {
  if (!live.metadata.finalizers?.includes(finalizer)) return;
  if (account) await work.undo(live, account, signal);
  await removeFinalizer(client, type, live, finalizer);
}

async function make(
  live: PrivateConnectivity,
  hcp: HostedControlPlane,
  { type, work, finalizer, account, cloud }: Work,
  { client, clock, signal }: ReconcileContext,
): Promise<void> {
  const report = (object: PrivateConnectivity, status: object, verdict: Omit<Condition, 'type'>) => {
    const conditions = work.conditions.map((one) => ({ type: one, ...verdict }));
    return patchStatus(client, type, object, { status, conditions }, { clock, signal });
  };
  if (!account) {
    const message = `${cloud} is not called for private access: this build makes no calls to ${cloud}`;
    await report(live, {}, { status: 'Unknown', reason: 'StatusUnknown', message });
    return;
  }
  // Before the cloud has anything, so that nothing is left there when this ends half way.
  const held = await ensureFinalizer(client, type, live, finalizer);
  try {
    const made = await work.run(held, hcp, account, signal);
    const message = `All is well with ${account.name}`;
    await report(held, made, { status: 'True', reason: `${cloud}Success`, message });
  } catch (error) {
    await report(held, {}, { status: 'False', reason: work.refused, message: errorMessage(error) });
    throw error;
  }
}

/** Ends the nodes' side of all private links, for an operator that goes before the objects do. */
export async function disconnectPrivateLinks(
  platform: Platform,
  account: CloudAccount | undefined,
  { client, namespace, signal }: Pick<ReconcileContext, 'client' | 'signal'> & { readonly namespace: string },
): Promise<void> {
  const type = platform.traits.privateConnectivity?.type;
  const work = platform.privateLink?.connect;
  if (!type || !work) return;
  const { items } = await client.list(type, { namespace, signal });
  for (const live of items)
    await letGo(live, { type, work, finalizer: finalizerOf.connect, account }, { client, signal });
}
