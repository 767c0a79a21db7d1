import { StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';

/** The revision a resourceVersion names; 0 for unset and "0". */
export function parseResourceVersion(text: string): number {
  if (text === '' || text === '0') return 0;
  const revision = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(revision))
    throw statusErrors.badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  return revision;
}

/** The server has not reached that revision; the client should come back. */
export function tooLargeResourceVersion(wanted: number, current: number): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** The server no longer knows what happened after that revision. */
export function tooOldResourceVersion(wanted: number, oldest: number): StatusError {
  return statusErrors.expired(`too old resource version: ${wanted} (${oldest})`);
}
