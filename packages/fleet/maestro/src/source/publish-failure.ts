import { status as codes } from '@grpc/grpc-js';
import { errorMessage, StatusError, type StatusReason } from '@hypershift-ts/kube-apimachinery';

/** Texts by which servers that send no structure can be told apart. */
const texts: readonly (readonly [RegExp, number, StatusReason])[] = [
  [/fk_resources_consumers/, 404, 'NotFound'],
  [/already exists/, 409, 'AlreadyExists'],
  [/not the latest|under deletion|maestro-6\b/, 409, 'Conflict'],
  [/maestro-7\b/, 404, 'NotFound'],
  [/maestro-8\b/, 422, 'Invalid'],
  [/maestro-4\b|unauthorized to/, 403, 'Forbidden'],
];

/** What a failed publish means. Upstream's servers answer with plain texts, ours with a status inside. */
export function publishFailure(error: unknown): StatusError {
  const { code, details = '' } = error as { readonly code?: number; readonly details?: string };
  const message = details || errorMessage(error);
  const inside = statusIn(details);
  if (inside) return inside;
  const [, number, reason] = texts.find(([text]) => text.test(message)) ?? [];
  if (number && reason) return new StatusError(number, reason, message);
  if (code === codes.UNAVAILABLE || code === codes.DEADLINE_EXCEEDED)
    return new StatusError(503, 'ServiceUnavailable', `Maestro is out of reach: ${message}`);
  if (code === codes.UNAUTHENTICATED) return new StatusError(401, 'Unauthorized', message);
  return new StatusError(500, 'InternalError', message);
}

function statusIn(details: string): StatusError | undefined {
  if (!details.startsWith('{')) return undefined;
  try {
    const { ErrStatus: status } = JSON.parse(details) as {
      readonly ErrStatus?: { readonly code?: number; readonly reason?: StatusReason; readonly message?: string };
    };
    if (!status?.code || !status.reason) return undefined;
    return new StatusError(status.code, status.reason, status.message ?? details);
  } catch {
    return undefined;
  }
}
