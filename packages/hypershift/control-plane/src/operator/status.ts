import { type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { nextControlPlaneVersion, type ControlPlaneVersionStatus } from '@hypershift-ts/hypershift-release';
import {
  type Clock,
  type Condition,
  corev1,
  findCondition,
  formatTime,
  isConditionTrue,
  jsonEqual,
} from '@hypershift-ts/kube-apimachinery';
import { patchStatus } from '@hypershift-ts/kube-controller';
import { isOAuthEnabled } from '../framework/cluster-facts.ts';
import { platformStatus } from './cloud.ts';
import { reportedComponents } from './observe.ts';
import type { Pass } from './pass.ts';
import { hasOwnOAuth, kubeadminPasswordSecret } from './steps/kubeadmin-password.ts';

/** Status fields that are not conditions; `null` removes one. */
export function statusFields(pass: Pass): object {
  const { hcp, lookup, infrastructure } = pass;
  const exists = (name: string) => lookup.get(corev1.secrets, name) !== undefined;
  const admin = hcp.spec.kubeconfig ?? { name: 'admin-kubeconfig', key: 'kubeconfig' };
  const custom = { name: 'custom-admin-kubeconfig', key: admin.key };
  const known = infrastructure instanceof Error || !infrastructure?.ready ? undefined : infrastructure;
  return {
    initialized: true,
    externalManagedControlPlane: true,
    kubeConfig: exists(admin.name) ? admin : null,
    customKubeconfig: hcp.spec.kubeAPIServerDNSName && exists(custom.name) ? custom : null,
    kubeadminPassword: !hasOwnOAuth(pass) && exists(kubeadminPasswordSecret) ? { name: kubeadminPasswordSecret } : null,
    ...(known?.api ? { controlPlaneEndpoint: known.api } : {}),
    ...(known?.oauth && isOAuthEnabled(pass)
      ? { oauthCallbackURLTemplate: callbackTemplate(known.oauth.host, known.oauth.port) }
      : {}),
    ...versionFields(pass),
    ...platformStatus(pass),
  };
}

function callbackTemplate(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `https://${name}:${port}/oauth2callback/[identity-provider-name]`;
}

/** `controlPlaneVersion`, once the release is known. */
function versionFields(pass: Pass): object {
  const { hcp, releases, now } = pass;
  if (!releases) return {};
  const { version, pinnedImage } = releases.controlPlane;
  const controlPlaneVersion = nextControlPlaneVersion({
    existing: hcp.status?.controlPlaneVersion as ControlPlaneVersionStatus | undefined,
    version,
    image: pinnedImage,
    now: formatTime(now),
    generation: hcp.metadata.generation ?? 0,
    components: reportedComponents(pass).map(({ status }) => ({
      version: status?.version,
      rolloutComplete: isConditionTrue(status?.conditions, 'RolloutComplete'),
    })),
  });
  return { controlPlaneVersion };
}

/** Whether the conditions say the same already. */
function isSaid({ status }: HostedControlPlane, conditions: readonly Condition[]): boolean {
  return conditions.every(({ type, reason, message }) => {
    const before = findCondition(status?.conditions, type);
    return before?.reason === reason && before?.message === message;
  });
}

/** Whether only the words about what is not as it should be are others. */
export function tellsOnlyProgress(
  { metadata, status }: HostedControlPlane,
  fields: object,
  conditions: readonly Condition[],
): boolean {
  const known = (status ?? {}) as { readonly [field: string]: unknown };
  return (
    Object.entries(fields).every(([field, value]) => jsonEqual(known[field] ?? null, value ?? null)) &&
    conditions.every(({ type, status: is }) => {
      const before = findCondition(status?.conditions, type);
      return before?.status === is && before.observedGeneration === metadata.generation;
    })
  );
}

/**
 * Writes conditions and fields at once, or nothing when nothing changed. Words about progress change with every pod that
 * starts, and everybody who follows the control plane is woken by them: they are told every few seconds.
 */
export async function writeStatus(
  pass: Pass,
  fields: object,
  conditions: readonly Condition[],
  clock: Clock,
): Promise<void> {
  const { progress } = pass.upkeep;
  const mayWait = tellsOnlyProgress(pass.hcp, fields, conditions);
  if (mayWait && !isSaid(pass.hcp, conditions) && !progress.mayWrite('status', pass.now)) return;
  progress.written('status');
  await patchStatus(
    pass.client,
    hostedControlPlanes,
    pass.hcp,
    { status: fields, conditions },
    { clock, signal: pass.signal },
  );
}
