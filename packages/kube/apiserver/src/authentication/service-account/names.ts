const prefix = 'system:serviceaccount:';

export function serviceAccountUser(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Splits `system:serviceaccount:ns:name`; undefined for every other user. */
export function parseServiceAccountUser(
  user: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(prefix.length).split(':');
  if (rest.length > 0 || !isLabel(namespace) || !isSubdomain(name)) return undefined;
  return { namespace, name };
}

const isLabel = (text: string) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);
const isSubdomain = (text: string) =>
  text.length <= 253 && text.split('.').every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part));
