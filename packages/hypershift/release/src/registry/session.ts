import { type Clock, delay, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { causeText, ReleaseError } from '../errors.ts';
import type { RegistryCredential } from '../image/pull-secret.ts';
import { formatReference, type ImageReference } from '../image/reference.ts';
import { authorize, type TokenExchange } from './authorization.ts';
import { readAll } from './body.ts';
import { parseChallenges } from './challenge.ts';
import type { RegistryLimits } from './limits.ts';
import type { RegistryResponse, RegistryTransport } from './transport.ts';

export interface SessionOptions {
  readonly reference: ImageReference;
  readonly credential: RegistryCredential | undefined;
  readonly transport: RegistryTransport;
  readonly limits: RegistryLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether this registry is spoken to without TLS. */
  readonly plainHttp: boolean;
}

const attempts = 3;
const firstPauseMs = 200;
const longestPauseMs = 5_000;
const redirectStatus = new Set([301, 302, 303, 307, 308]);

/** Docker Hub serves its API elsewhere than its name says. */
function apiHost(registry: string): string {
  return registry === 'docker.io' || registry === 'index.docker.io' ? 'registry-1.docker.io' : registry;
}

/** Requests to one repository of one registry: authorization, redirects, retries, and errors in plain words. */
export class RegistrySession {
  readonly image: string;
  private readonly options: SessionOptions;
  private readonly base: string;
  private authorization: string | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    const { reference, plainHttp } = options;
    this.image = formatReference(reference);
    this.base = `${plainHttp ? 'http' : 'https'}://${apiHost(reference.registry)}/v2/${reference.repository}/`;
  }

  /** GETs `manifests/<name>` or `blobs/<digest>`. The body of the answer must be read or destroyed. */
  async get(path: string, accept: string): Promise<RegistryResponse> {
    for (let attempt = 1; ; attempt++) {
      let response: RegistryResponse | undefined;
      let failure: unknown;
      try {
        response = await this.authorized(path, accept);
        if (response.status === 200) return response;
      } catch (error) {
        if (error instanceof ReleaseError) throw error;
        failure = error;
      }
      const final = attempt >= attempts || this.options.signal.aborted || isCertificateError(failure);
      if (response && (final || !isPassing(response.status))) throw await this.refusal(response);
      if (!response && final) throw this.unreachable(failure);
      response?.discard();
      await delay(this.options.clock, pauseMs(attempt, response), this.options.signal);
    }
  }

  private async authorized(path: string, accept: string): Promise<RegistryResponse> {
    const url = new URL(path, this.base);
    const response = await this.follow(url, accept);
    if (response.status !== 401) return response;
    const challenges = parseChallenges(response.header('www-authenticate') ?? '');
    response.discard();
    const authorization = await authorize(challenges, this.options.credential, this.tokens());
    if (authorization === undefined) throw this.unauthorized('401 Unauthorized');
    // Kept for the next request; tokens expire during long reads, and the next 401 then gets a new one.
    this.authorization = authorization;
    return this.follow(url, accept);
  }

  /** Follows redirects to storage back ends, which must not see the registry's credentials. */
  private async follow(start: URL, accept: string): Promise<RegistryResponse> {
    let url = start;
    for (let hop = 0; hop <= this.options.limits.redirects; hop++) {
      const authorization = url.origin === start.origin ? this.authorization : undefined;
      const headers = { accept, 'user-agent': 'hypershift-ts', ...(authorization ? { authorization } : {}) };
      const response = await this.options.transport.send({ method: 'GET', url, headers, signal: this.options.signal });
      const location = redirectStatus.has(response.status) ? response.header('location') : undefined;
      if (location === undefined) return response;
      response.discard();
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (!next || (next.protocol !== 'https:' && !(next.protocol === 'http:' && start.protocol === 'http:')))
        throw this.protocol('it redirects to an address that is not HTTPS');
      url = next;
    }
    throw this.protocol(`it redirects more than ${this.options.limits.redirects} times`);
  }

  private tokens(): TokenExchange {
    const { transport, signal, limits, reference, plainHttp } = this.options;
    return {
      defaultScope: `repository:${reference.repository}:pull`,
      allowPlainHttp: plainHttp,
      refuse: (why) => this.protocol(why),
      async send(method, url, headers, body) {
        const response = await transport.send({
          method,
          url,
          headers,
          signal,
          ...(body === undefined ? {} : { body }),
        });
        return { status: response.status, bytes: await readAll(response.body, limits.documentBytes) };
      },
    };
  }

  private async refusal(response: RegistryResponse): Promise<ReleaseError> {
    const { status } = response;
    const said = await this.registryWords(response);
    const answer = `${status}${said ? ` ${said}` : ''}`;
    if (status === 401 || status === 403) return this.unauthorized(answer);
    if (status === 404)
      return new ReleaseError('REGISTRY_NOT_FOUND', {
        message: `image ${this.image} was not found: the registry answered ${answer}`,
        fix: 'check repository, tag and digest; some registries also hide what the pull secret may not see',
        field: 'spec.release.image',
      });
    return new ReleaseError('REGISTRY_REFUSED', {
      message: `image ${this.image} cannot be read now: the registry answered ${answer}`,
      fix: 'it is tried again; check the state of the registry if this stays',
    });
  }

  private async registryWords(response: RegistryResponse): Promise<string> {
    try {
      const document: unknown = JSON.parse((await readAll(response.body, 64 * 1024)).toString('utf8'));
      const errors: unknown = isJsonObject(document) ? document['errors'] : undefined;
      const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
      if (!isJsonObject(first)) return '';
      return [first['code'], first['message']]
        .filter((part) => typeof part === 'string')
        .join(': ')
        .slice(0, 200);
    } catch {
      return '';
    }
  }

  private unauthorized(answer: string): ReleaseError {
    const { credential, reference } = this.options;
    const used = credential
      ? `with the credentials of pull secret entry ${JSON.stringify(credential.entry)}`
      : `without credentials, as the pull secret has no entry for ${reference.registry}`;
    return new ReleaseError('REGISTRY_UNAUTHORIZED', {
      message: `image ${this.image} may not be read ${used}: the registry answered ${answer}`,
      fix: credential
        ? `renew the entry ${JSON.stringify(credential.entry)} of the pull secret, or give its account the right to pull`
        : `add an entry for ${reference.registry} to the pull secret`,
      field: 'spec.pullSecret',
    });
  }

  private unreachable(cause: unknown): ReleaseError {
    const { signal, reference } = this.options;
    const why = signal.aborted ? causeText(signal.reason) : causeText(cause);
    return new ReleaseError('REGISTRY_UNREACHABLE', {
      message: `image ${this.image} cannot be read: no connection to ${reference.registry}: ${why}`,
      fix: 'check the host name, the network, the proxy and the trusted certificates (additionalTrustBundle)',
      cause,
    });
  }

  private protocol(why: string): ReleaseError {
    return new ReleaseError('REGISTRY_PROTOCOL', {
      message: `image ${this.image} cannot be read from ${this.options.reference.registry}: ${why}`,
      fix: 'check that the address is a container registry (API version 2)',
    });
  }
}

/** A certificate that is not trusted now will not be in a second. */
function isCertificateError(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /CERT|SELF_SIGNED|UNABLE_TO_|^EPROTO$|^ERR_SSL/.test(code);
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

function pauseMs(attempt: number, response: RegistryResponse | undefined): number {
  const asked = Number(response?.header('retry-after'));
  const wanted = Number.isFinite(asked) && asked > 0 ? asked * 1000 : firstPauseMs * 4 ** (attempt - 1);
  return Math.min(wanted, longestPauseMs);
}
