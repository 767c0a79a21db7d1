import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';
import type { SourceSecret } from '../platform.ts';

export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** An opaque Secret; values are plain text. */
export function opaqueSecret(namespace: string, name: string, data: { readonly [key: string]: string }): corev1.Secret {
  return secretOf(namespace, name, Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])));
}

/** An opaque Secret of values that are encoded already, as copies are. */
export function secretOf(namespace: string, name: string, data: { readonly [key: string]: string }): corev1.Secret {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, type: 'Opaque', data };
}

/** A Secret the user must have made, with all the keys that are needed. */
export function requireSecret(
  secrets: ReadonlyMap<string, corev1.Secret>,
  { name, field }: SourceSecret,
  keys: readonly string[],
): { readonly [key: string]: string } {
  const data = secrets.get(name)?.data;
  if (!secrets.has(name))
    throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
      message: `Secret ${name} named by ${field} does not exist`,
      fix: `create Secret ${name} in the namespace of the HostedCluster`,
      field,
    });
  const missing = keys.filter((key) => data?.[key] === undefined);
  if (missing.length > 0)
    throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
      message: `Secret ${name} named by ${field} lacks ${missing.join(', ')}`,
      fix: `add ${missing.join(', ')} to Secret ${name}`,
      field,
    });
  return data ?? {};
}
