/** The parts of `registry.example.org:5000/team/app:v1@sha256:...` that patterns speak about. */
export interface ImageName {
  /** With its registry, without tag and digest. */
  readonly repository: string;
  /** The last element of the repository: `app`. */
  readonly base: string;
  readonly tag: string;
}

export function parseImage(image: string): ImageName {
  const withoutDigest = image.split('@', 1)[0] as string;
  const slash = withoutDigest.lastIndexOf('/');
  const colon = withoutDigest.indexOf(':', slash + 1);
  const repository = colon < 0 ? withoutDigest : withoutDigest.slice(0, colon);
  return { repository, base: repository.slice(slash + 1), tag: colon < 0 ? '' : withoutDigest.slice(colon + 1) };
}

/**
 * Whether an image is meant by a pattern: the whole reference, its repository, or its last element, each with `*` for any
 * text. `etcd` means every image whose last element is `etcd`.
 */
export function matchesImage(pattern: string, image: string): boolean {
  const { repository, base } = parseImage(image);
  return matchesWildcard(pattern, image) || matchesWildcard(pattern, repository) || matchesWildcard(pattern, base);
}

/** Plain comparison with `*`, in time proportional to the text: no pattern can make it slow. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === text;
  const first = parts[0] as string;
  const last = parts[parts.length - 1] as string;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
