import { openshift } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { getIfPresent } from '@hypershift-ts/kube-controller';
import { isIP } from 'node:net';

/** Where an embedded management cluster tells how its Routes are reached. */
const published = { namespace: 'kube-public', name: 'shared-router' };

/**
 * Address and port of the router that serves a host for which there is no DNS; undefined when the host is found like any
 * other, as on every management cluster that is not embedded.
 */
export async function routerFor(client: Client, namespace: string, host: string): Promise<string | undefined> {
  if (host === '' || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  const { address, port } = (await getIfPresent(client, corev1.configmaps, published))?.data ?? {};
  if (!address || !port) return undefined;
  const { items } = await client.list(openshift.routes, { namespace });
  return items.some(({ spec }) => spec.host === host) ? `${address}:${port}` : undefined;
}
