import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { ReleaseError } from '../errors.ts';
import type { ImageReference } from './reference.ts';

export interface RegistryCredential {
  /** The key in the pull secret it came from: safe to show. */
  readonly entry: string;
  readonly username?: string;
  readonly password?: string;
  /** An OAuth2 refresh token, to be exchanged for an access token. */
  readonly identityToken?: string;
  /** A bearer token that is sent as it is. */
  readonly registryToken?: string;
}

interface Entry extends RegistryCredential {
  readonly host: string;
  readonly path: string;
}

const largestPullSecret = 1 << 20;
const dockerHub = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/** The credentials of a dockerconfigjson document. Entries name a host, or a host with the start of a repository path. */
export class PullSecret {
  static readonly none = new PullSecret([]);
  private readonly entries: readonly Entry[];

  private constructor(entries: readonly Entry[]) {
    // The most specific entry first: the longest path, and exact hosts before wildcards.
    this.entries = entries.toSorted((a, b) => b.path.length - a.path.length || wildcards(a) - wildcards(b));
  }

  /** Reads `.dockerconfigjson` as a Secret holds it. */
  static parse(content: Uint8Array | string): PullSecret {
    const invalid = (why: string, cause?: unknown) =>
      new ReleaseError('RELEASE_PULL_SECRET_INVALID', {
        message: `the pull secret is not valid: ${why}`,
        fix: 'store a document like {"auths":{"quay.io":{"auth":"<base64 of user:password>"}}} under key .dockerconfigjson',
        field: 'spec.pullSecret',
        ...(cause === undefined ? {} : { cause }),
      });
    if (content.length > largestPullSecret) throw invalid(`it is larger than ${largestPullSecret} bytes`);
    let document: unknown;
    try {
      document = JSON.parse(typeof content === 'string' ? content : new TextDecoder().decode(content));
    } catch {
      // The parser's own words quote the text, which holds passwords.
      throw invalid('it is not JSON');
    }
    if (!isJsonObject(document) || !isJsonObject(document['auths'])) throw invalid('it has no object "auths"');
    const entries: Entry[] = [];
    for (const [key, value] of Object.entries(document['auths'])) {
      if (!isJsonObject(value)) throw invalid(`auths[${JSON.stringify(key)}] is not an object`);
      const credential = readCredential(key, value);
      if (credential === 'malformed')
        throw invalid(`auths[${JSON.stringify(key)}].auth is not base64 of user:password`);
      if (credential) entries.push({ ...credential, ...place(key) });
    }
    return new PullSecret(entries);
  }

  /** The credential to use for an image; undefined means anonymous. */
  credentialFor({
    registry,
    repository,
  }: Pick<ImageReference, 'registry' | 'repository'>): RegistryCredential | undefined {
    return this.entries.find(({ host, path }) => hostMatches(host, registry) && pathMatches(path, repository));
  }

  /** The entry keys, for messages. */
  get names(): readonly string[] {
    return this.entries.map(({ entry }) => entry);
  }
}

function wildcards({ host }: Entry): number {
  return host.includes('*') ? 1 : 0;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function readCredential(entry: string, value: Record<string, unknown>): RegistryCredential | undefined | 'malformed' {
  const identityToken = textOf(value['identitytoken']);
  const registryToken = textOf(value['registrytoken']);
  const tokens = { ...(identityToken ? { identityToken } : {}), ...(registryToken ? { registryToken } : {}) };
  const auth = textOf(value['auth']);
  if (auth) {
    const decoded = Buffer.from(auth, 'base64').toString('utf8');
    const colon = decoded.indexOf(':');
    if (colon <= 0) return 'malformed';
    // Some tools pad the password with NUL.
    return {
      entry,
      username: decoded.slice(0, colon),
      password: decoded.slice(colon + 1).replace(/\0+$/, ''),
      ...tokens,
    };
  }
  const username = textOf(value['username']);
  const password = textOf(value['password']);
  if (username && password) return { entry, username, password, ...tokens };
  return identityToken || registryToken ? { entry, ...tokens } : undefined;
}

/** Where a key applies: `https://index.docker.io/v1/` is a host; `quay.io/team` a host and the start of a path. */
function place(key: string): { host: string; path: string } {
  const bare = key.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  const slash = bare.indexOf('/');
  if (slash < 0) return { host: bare, path: '' };
  const path = bare.slice(slash + 1).replace(/^v[12](?:\/|$)/, '');
  return { host: bare.slice(0, slash), path };
}

/** Labels of a host may be `*` in the pull secret, as kubelets allow. Docker Hub has several names. */
function hostMatches(pattern: string, registry: string): boolean {
  if (pattern === registry || (dockerHub.has(pattern) && dockerHub.has(registry))) return true;
  if (!pattern.includes('*')) return false;
  const wanted = pattern.split('.');
  const found = registry.split('.');
  return wanted.length === found.length && wanted.every((label, index) => label === '*' || label === found[index]);
}

function pathMatches(path: string, repository: string): boolean {
  return path === '' || repository === path || repository.startsWith(`${path}/`);
}
