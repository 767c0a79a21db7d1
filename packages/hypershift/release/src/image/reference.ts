import { ReleaseError } from '../errors.ts';

/** A container image reference taken apart. A digest, where present, wins over the tag. */
export interface ImageReference {
  /** Host with optional port, for example `quay.io` or `127.0.0.1:5000`. */
  readonly registry: string;
  /** Path inside the registry, for example `openshift-release-dev/ocp-release`. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:...`. */
  readonly digest?: string;
}

const longestReference = 512;
const hostPattern = /^(?:\[[0-9a-fA-F:]+\]|[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?)(?::[0-9]{1,5})?$/;
const pathElement = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digestPattern = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;
const defaultRegistry = 'docker.io';

/** Reads an image reference the way container runtimes do, with Docker Hub as the default registry. */
export function parseReference(text: string): ImageReference {
  const invalid = (why: string) =>
    new ReleaseError('RELEASE_REFERENCE_INVALID', {
      message: `image reference ${JSON.stringify(text.slice(0, longestReference))} is not valid: ${why}`,
      fix: 'write it as registry/repository:tag or registry/repository@sha256:digest',
      field: 'spec.release.image',
    });
  if (text === '') throw invalid('it is empty');
  if (text.length > longestReference) throw invalid(`it is longer than ${longestReference} characters`);

  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  if (digest !== undefined && !digestPattern.test(digest)) throw invalid('the digest is not sha256: and 64 hex digits');
  const named = at < 0 ? text : text.slice(0, at);

  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasHost = first.includes('.') || first.includes(':') || first === 'localhost' || first !== first.toLowerCase();
  const registry = hasHost ? first : defaultRegistry;
  if (!hostPattern.test(registry)) throw invalid(`${JSON.stringify(registry)} is not a host name with optional port`);
  const rest = hasHost ? named.slice(slash + 1) : named;

  const colon = rest.lastIndexOf(':');
  const tag = colon < 0 ? undefined : rest.slice(colon + 1);
  if (tag !== undefined && !tagPattern.test(tag)) throw invalid(`the tag ${JSON.stringify(tag)} is not allowed`);
  const path = colon < 0 ? rest : rest.slice(0, colon);
  if (!path.split('/').every((element) => pathElement.test(element)))
    throw invalid(
      `the repository ${JSON.stringify(path)} may hold only lower case letters, digits, and ._- between them`,
    );
  const repository = registry === defaultRegistry && !path.includes('/') ? `library/${path}` : path;
  return { registry, repository, ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

export function formatReference({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** The same image pinned to a digest, without its tag: how a resolved image is written into status. */
export function withDigest(reference: ImageReference, digest: string): string {
  return formatReference({ registry: reference.registry, repository: reference.repository, digest });
}

/** What to ask the registry for: the digest, the tag, or `latest`. */
export function manifestName({ tag, digest }: ImageReference): string {
  return digest ?? tag ?? 'latest';
}
