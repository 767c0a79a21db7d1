import { StatusError } from '@hypershift-ts/kube-apimachinery';
import { parseRequestInfo } from '../request/request-info.ts';
import type { RequestPath } from './request-path.ts';
import type { ServerParts } from './parts.ts';
import { askHealth } from './routes.ts';

/** The status that a GET of a health endpoint without credentials gets; for probes that need no socket. */
export async function probeStatus(
  { identification, policy }: ServerParts,
  { routes }: RequestPath,
  target: string,
): Promise<number> {
  const [path = '/', query = ''] = target.split('?', 2);
  try {
    const { user } = await identification.authentication.authenticate({ headers: {}, path });
    const info = parseRequestInfo('GET', path, { watch: false, fieldSelector: '' });
    const { decision } = await policy.authorizer.authorize({ ...info, user });
    if (decision !== 'allow') return 403;
    return (await askHealth(routes.checks, path, new URLSearchParams(query)))?.code ?? 404;
  } catch (error) {
    return error instanceof StatusError ? error.code : 500;
  }
}
