import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

const limitBytes = 1024 * 1024;

/** The registries of a pull secret; throws without saying anything of its content. */
function authsOf(text: string, what: string): { readonly [registry: string]: unknown } {
  if (text.length > limitBytes) throw new Error(`${what} is larger than ${limitBytes} bytes`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error(`${what} is no JSON; write it as {"auths":{"<registry>":{"auth":"..."}}}`);
  }
  const auths = isJsonObject(parsed) ? parsed['auths'] : undefined;
  if (!isJsonObject(auths) || Object.keys(auths).length === 0)
    throw new Error(`${what} must contain at least one entry in auths`);
  return auths;
}

/** Both pull secrets in one. Registries of the cluster's own stay as they are; users cannot replace them. */
export function mergedPullSecret(original: string, additional: string): string {
  const added = authsOf(additional, 'Secret kube-system/additional-pull-secret');
  const own = isEmptyConfig(original) ? {} : authsOf(original, 'the pull secret of the HostedCluster');
  const merged = Object.entries({ ...added, ...own }).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ auths: Object.fromEntries(merged) });
}

function isEmptyConfig(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) && isJsonObject(parsed['auths']) && Object.keys(parsed['auths']).length === 0;
  } catch {
    return false;
  }
}
