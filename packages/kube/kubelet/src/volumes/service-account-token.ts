import { type authenticationv1, type Clock, corev1, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

interface HeldToken {
  readonly token: string;
  readonly renewAtMs: number;
}

const longestHoldMs = 24 * 60 * 60 * 1000;
const retryMs = 30_000;

/** The tokens of one pod: asked for once, bound to the pod, and renewed well before they end. */
export class PodTokens {
  private readonly held = new Map<string, HeldToken>();
  private readonly client: Client;
  private readonly clock: Clock;

  constructor(client: Client, clock: Clock) {
    this.client = client;
    this.clock = clock;
  }

  /** When the next token has to be renewed; undefined when there is none. */
  get nextRenewalMs(): number | undefined {
    let next: number | undefined;
    for (const { renewAtMs } of this.held.values()) next = Math.min(next ?? Number.POSITIVE_INFINITY, renewAtMs);
    return next;
  }

  async tokenFor(pod: corev1.Pod, projection: corev1.ServiceAccountTokenProjection): Promise<string> {
    const key = `${projection.audience ?? ''} ${projection.expirationSeconds ?? 3600}`;
    const held = this.held.get(key);
    if (held && this.clock.now() < held.renewAtMs) return held.token;
    try {
      const fresh = await this.request(pod, projection);
      this.held.set(key, fresh);
      return fresh.token;
    } catch (error) {
      // The old token still serves for a fifth of its life; try again meanwhile.
      if (!held) throw error;
      this.held.set(key, { token: held.token, renewAtMs: this.clock.now() + retryMs });
      return held.token;
    }
  }

  private async request(pod: corev1.Pod, projection: corev1.ServiceAccountTokenProjection): Promise<HeldToken> {
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const requested = this.clock.now();
    // The parent resource in the path, the request's own kind in the body.
    const type = corev1.serviceaccounts as unknown as ResourceType<authenticationv1.TokenRequest>;
    const answer = await this.client.create(
      type,
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: { name: pod.spec?.serviceAccountName ?? 'default', namespace },
        spec: {
          audiences: projection.audience ? [projection.audience] : [],
          expirationSeconds: projection.expirationSeconds ?? 3600,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
        },
      },
      { subresource: 'token' },
    );
    const { token = '', expirationTimestamp } = answer.status ?? {};
    const lifeMs = Math.max(0, Date.parse(expirationTimestamp ?? '') - requested) || 3_600_000;
    return { token, renewAtMs: requested + Math.min(lifeMs * 0.8, longestHoldMs) };
  }
}
