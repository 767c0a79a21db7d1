/**
 * The tag of an image reference: `latest` when it names neither tag nor digest, the empty string when it names only
 * a digest or cannot be read.
 */
export function imageTag(image: string): string {
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  if (name === '' || /[\s@]/.test(name)) return '';
  const slash = name.lastIndexOf('/');
  const colon = name.indexOf(':', slash + 1);
  const path = colon < 0 ? name : name.slice(0, colon);
  // Repository paths are lower case; what precedes the first slash may be a host name and is not looked at.
  const repository = path.slice(path.indexOf('/') + 1);
  if (repository === '' || repository !== repository.toLowerCase()) return '';
  if (colon >= 0) return name.slice(colon + 1);
  return at < 0 ? 'latest' : '';
}

/** Always for `:latest`, which moves; IfNotPresent for anything pinned. */
export function defaultPullPolicy(image: unknown): 'Always' | 'IfNotPresent' {
  return typeof image === 'string' && imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}
