import { StatusError } from '@hypershift-ts/kube-apimachinery';
import { ApiCallError } from '../api-client/client.ts';
import { TemplateError } from '../template/index.ts';

/** Whether trying again later may help. What nobody can classify is worth another try. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiCallError) return error.isTransient;
  if (error instanceof StatusError)
    return error.code === 429 || error.code >= 500 || error.reason === 'Conflict' || error.reason === 'Timeout';
  return !(error instanceof TemplateError) && !(error instanceof PermanentError);
}

/** Something that stays wrong until the configuration or the resource changes. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}
