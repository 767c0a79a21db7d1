import { errorMessage, StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { StoreUnavailableError } from '@hypershift-ts/kube-store';
import type { Exchange } from './exchange.ts';

/** Any failure as the Status a client understands. Faults of our own are reported through `onFault`. */
export function toStatusError(error: unknown, onFault: (error: unknown) => void): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof StoreUnavailableError)
    return statusErrors.unavailable(`the store cannot answer: ${error.message}`);
  onFault(error);
  return statusErrors.internal(errorMessage(error), { cause: error });
}

/** Answers with the error, or cuts the connection when an answer has already begun. */
export async function sendError(exchange: Exchange, error: StatusError): Promise<void> {
  if (exchange.started) {
    exchange.response.destroy();
    return;
  }
  const retryAfter = error.details?.retryAfterSeconds;
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined && retryAfter > 0) headers['retry-after'] = String(retryAfter);
  if (error.code === 401) headers['www-authenticate'] = 'Bearer realm="kubernetes"';
  // User names are echoed in these.
  if (error.code === 403) headers['x-content-type-options'] = 'nosniff';
  // The rest of a refused body is not read; the connection cannot be used again under HTTP/1.1.
  if (error.code === 413 && exchange.request.httpVersionMajor === 1) headers['connection'] = 'close';
  await exchange.json(error.code, error.toStatus(), headers);
}
