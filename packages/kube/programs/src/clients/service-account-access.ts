import { type Clock, corev1, isAlreadyExists, isNotFound, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '@hypershift-ts/kube-apiserver';
import type { Client, ClusterConfig } from '@hypershift-ts/kube-client';

const namespace = 'kube-system';
const tokenSeconds = 3600;

interface TokenRequest extends KubeObject {
  readonly spec?: { readonly expirationSeconds?: number; readonly audiences?: readonly string[] };
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

/** A service account of kube-system, as authentication would name it. */
export function serviceAccountUser(name: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

/** Whether the holder of a client may get tokens of service accounts in kube-system, and so act as any of them. */
export async function mayActAsServiceAccounts(client: Client): Promise<boolean> {
  const type = {
    group: 'authorization.k8s.io',
    version: 'v1',
    kind: 'SelfSubjectAccessReview',
    resource: 'selfsubjectaccessreviews',
    namespaced: false,
  };
  const review = await client.create<KubeObject & { spec: object; status?: { allowed?: boolean } }>(type, {
    metadata: {},
    spec: { resourceAttributes: { verb: 'create', resource: 'serviceaccounts', subresource: 'token', namespace } },
  });
  return review.status?.allowed === true;
}

/** Keeps a token of a service account and puts it in the place of the kubeconfig's own credentials. */
export function serviceAccountConfig(
  client: Client,
  name: string,
  clock: Clock,
): (own: ClusterConfig) => Promise<ClusterConfig> {
  let held: { readonly token: string; readonly renewAtMs: number } | undefined;
  let asking: Promise<void> | undefined;
  const renew = async () => {
    const issuedMs = clock.now();
    const { status } = await tokenOf(client, { namespace, name }, { expirationSeconds: tokenSeconds });
    const untilMs = Date.parse(status?.expirationTimestamp ?? '') || issuedMs + tokenSeconds * 1000;
    held = { token: status?.token ?? '', renewAtMs: issuedMs + 0.8 * (untilMs - issuedMs) };
  };
  return async (own) => {
    if (!held || clock.now() >= held.renewAtMs) {
      asking ??= renew().finally(() => {
        asking = undefined;
      });
      await asking;
    }
    const { server, certificateAuthority, tlsServerName, insecureSkipTlsVerify } = own;
    return {
      server,
      token: held?.token ?? '',
      ...(certificateAuthority ? { certificateAuthority } : {}),
      ...(tlsServerName ? { tlsServerName } : {}),
      ...(insecureSkipTlsVerify ? { insecureSkipTlsVerify } : {}),
    };
  };
}

/** Asks for a token, making the service account when it is not there yet. */
export async function tokenOf(
  client: Client,
  account: { readonly namespace: string; readonly name: string },
  spec: NonNullable<TokenRequest['spec']>,
): Promise<TokenRequest> {
  const request = () =>
    client.create(
      corev1.serviceaccounts as never,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: account, spec } as never,
      { subresource: 'token' },
    ) as Promise<TokenRequest>;
  try {
    return await request();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(corev1.serviceaccounts, { metadata: account }).catch((failure: unknown) => {
      if (!isAlreadyExists(failure)) throw failure;
    });
    return request();
  }
}
