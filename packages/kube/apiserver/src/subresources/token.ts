import { answerTokenRequest, type TokenRequestOptions } from '../authentication/index.ts';
import type { Action } from './subresource.ts';

/** serviceaccounts/token: TokenRequest. */
export function serviceAccountToken(options: TokenRequestOptions): Action {
  return {
    form: 'action',
    async run(_registry, context, target, body) {
      return { code: 201, object: await answerTokenRequest(body, target, { ...options, warn: context.warn }) };
    },
  };
}
