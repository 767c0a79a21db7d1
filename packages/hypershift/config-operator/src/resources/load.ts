import { randomBytes } from 'node:crypto';
import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { scopeOf, type GuestWriter } from '../guest/apply.ts';
import type { GuestScope } from '../options.ts';
import { required } from './facts.ts';
import type { GuestInputs } from './inputs.ts';

/** Reads everything a pass needs: from what is watched, and the release from its provider. */
export async function loadInputs(
  hcp: HostedControlPlane,
  { options, guest, management }: GuestScope,
  writer: GuestWriter,
  signal: AbortSignal,
): Promise<GuestInputs> {
  const { namespace, releases, konnectivity, oauth } = options;
  const scope = { namespace };
  const secret = (name: string) => management.get(corev1.secrets, { namespace, name }, scope);
  const pullSecret = required(secret('pull-secret'), 'Secret', { hcp }, 'pull-secret');
  const release = await releases.lookup(hcp.spec.releaseImage, {
    pullSecret: Buffer.from(pullSecret.data?.['.dockerconfigjson'] ?? '', 'base64'),
    signal,
  });
  return {
    hcp,
    platform: platformFor(hcp.spec.platform.type),
    release,
    konnectivity,
    oauth,
    secret,
    configMap: (name) => management.get(corev1.configmaps, { namespace, name }, scope),
    service: (name) => management.get(corev1.services, { namespace, name }, scope),
    configMaps: () => management.list(corev1.configmaps, namespace, scope),
    seen: (type, key) => writer.seen(type, key),
    seenAll: (type) => guest.list(type, undefined, scopeOf(type)),
    randomBytes: options.randomBytes ?? randomBytes,
  };
}
