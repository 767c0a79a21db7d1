import type { Client } from '@hypershift-ts/kube-client';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { authenticationv1, corev1, StatusError } from '@hypershift-ts/kube-apimachinery';

/** What one API server says to a client certificate; `unknown` when it could not be asked. */
export type ProbeAnswer = 'accepted' | 'rejected' | 'unknown';

export interface ProbeCredentials {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Asks every API server of the hosted cluster, one by one: behind a load balancer a single answer proves nothing. */
export type KasProber = (credentials: ProbeCredentials, signal?: AbortSignal) => Promise<readonly ProbeAnswer[]>;

/** Whether there was an answer, and all answers were this one. */
export function everyAnswerIs(answers: readonly ProbeAnswer[], wanted: ProbeAnswer): boolean {
  return answers.length > 0 && answers.every((answer) => answer === wanted);
}

/** Asks one API server who it thinks we are. */
export async function probe(client: Client, signal?: AbortSignal): Promise<ProbeAnswer> {
  try {
    await client.create(authenticationv1.selfsubjectreviews, { metadata: {} }, signal ? { signal } : {});
    return 'accepted';
  } catch (error) {
    if (error instanceof StatusError && error.code === 401) return 'rejected';
    // Recognised but not allowed to ask is still recognised.
    if (error instanceof StatusError && error.code === 403) return 'accepted';
    return 'unknown';
  }
}

export interface KasPodProberOptions {
  /** The management cluster. */
  readonly client: Client;
  readonly namespace: string;
  /** Where pods listen; 6443 when absent. */
  readonly port?: number;
}

/** Asks the pods of `kube-apiserver` by their addresses, trusting what the in-cluster administrator's kubeconfig trusts. */
export function kasPodProber({ client, namespace, port = 6443 }: KasPodProberOptions): KasProber {
  return async (credentials, signal) => {
    const abort = signal ? { signal } : {};
    const secret = await client.get(
      corev1.secrets,
      { namespace, name: 'service-network-admin-kubeconfig' },
      { ...abort },
    );
    const text = Buffer.from(secret.data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
    const admin = clusterConfigFrom(parseKubeconfig(text, 'service-network-admin-kubeconfig', '/'));
    const pods = await client.list(corev1.pods, { namespace, labelSelector: 'app=kube-apiserver', ...abort });
    return Promise.all(
      pods.items.map(async ({ status }): Promise<ProbeAnswer> => {
        const address = status?.podIP;
        if (!address) return 'unknown';
        const pod = new HttpClient({
          server: `https://${address.includes(':') ? `[${address}]` : address}:${port}`,
          tlsServerName: 'kube-apiserver',
          ...(admin.certificateAuthority ? { certificateAuthority: admin.certificateAuthority } : {}),
          clientCertificate: {
            certificate: { pem: credentials.certificatePem },
            key: { pem: credentials.keyPem },
          },
        });
        try {
          return await probe(pod, signal);
        } finally {
          await pod.close();
        }
      }),
    );
  };
}
