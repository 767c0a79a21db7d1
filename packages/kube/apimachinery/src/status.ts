import type { FieldError } from './field-error.ts';
import { formatFieldError } from './field-error.ts';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** metav1.Status: how the API answers when it has no object to answer with. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  /** Always there on failures; a successful deletion has none. */
  readonly code?: number;
}

export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

/** An API failure, the same value on the server, in the in-process client and behind HTTPS. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: StatusReason | '';
  readonly details: StatusDetails | undefined;

  constructor(
    code: number,
    reason: StatusReason | '',
    message: string,
    details?: StatusDetails,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details ? { details: this.details } : {}),
      code: this.code,
    };
  }

  static fromStatus(status: Partial<Status>, httpCode = 500): StatusError {
    return new StatusError(
      status.code ?? httpCode,
      (status.reason ?? '') as StatusReason | '',
      status.message ?? `the server answered ${httpCode} without a message`,
      status.details,
    );
  }
}

/** What a message names a resource by: `deployments.apps`, `pods`. */
export interface NamedResource {
  readonly group: string;
  readonly resource: string;
}

function qualified({ group, resource }: NamedResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function detailsOf(resource: NamedResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.resource === '' ? {} : { kind: resource.resource }),
  };
}

/** Constructors with the codes, reasons and message forms of k8s.io/apimachinery `api/errors`. */
export const statusErrors = {
  notFound: (resource: NamedResource, name: string) =>
    new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name)),
  /** Nothing answers this path or this resource. */
  unknownPath: () => new StatusError(404, 'NotFound', 'the server could not find the requested resource', {}),
  alreadyExists: (resource: NamedResource, name: string) =>
    new StatusError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name)),
  conflict: (resource: NamedResource, name: string, why: string) =>
    new StatusError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
      detailsOf(resource, name),
    ),
  /** The optimistic lock failed. */
  modified: (resource: NamedResource, name: string) =>
    statusErrors.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    ),
  applyConflict: (causes: readonly StatusCause[], message: string) =>
    new StatusError(409, 'Conflict', message, { causes }),
  forbidden: (resource: NamedResource, name: string, why: string) =>
    new StatusError(
      403,
      'Forbidden',
      resource.resource === ''
        ? `forbidden: ${why}`
        : `${qualified(resource)}${name === '' ? '' : ` "${name}"`} is forbidden: ${why}`,
      detailsOf(resource, name),
    ),
  invalid: (kind: { group: string; kind: string }, name: string, errors: readonly FieldError[]) => {
    const texts = [...new Set(errors.map(formatFieldError))];
    const body = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
    const what = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
    return new StatusError(422, 'Invalid', `${what} "${name}" is invalid: ${body}`, {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.kind,
      causes: errors.map((error) => ({
        reason: error.type,
        message: error.message,
        field: error.field === '' ? '<nil>' : error.field,
      })),
    });
  },
  badRequest: (message: string) => new StatusError(400, 'BadRequest', message),
  unauthorized: (message = 'Unauthorized') => new StatusError(401, 'Unauthorized', message),
  methodNotAllowed: (resource: NamedResource, verb: string) =>
    new StatusError(
      405,
      'MethodNotAllowed',
      `${verb} is not supported on resources of kind "${qualified(resource)}"`,
      detailsOf(resource, ''),
    ),
  notAcceptable: (accepted: readonly string[]) =>
    new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`),
  unsupportedMediaType: (accepted: readonly string[]) =>
    new StatusError(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    ),
  tooLarge: (limit: number) =>
    new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`),
  expired: (message: string) => new StatusError(410, 'Expired', message),
  tooManyRequests: (message: string, retryAfterSeconds: number, causes?: readonly StatusCause[]) =>
    new StatusError(429, 'TooManyRequests', message, {
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
      ...(causes ? { causes } : {}),
    }),
  timeout: (message: string, retryAfterSeconds = 0) =>
    new StatusError(504, 'Timeout', `Timeout: ${message}`, retryAfterSeconds ? { retryAfterSeconds } : undefined),
  unavailable: (message: string) => new StatusError(503, 'ServiceUnavailable', message),
  internal: (message: string, options?: ErrorOptions) =>
    new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }, options),
};

const hasReason =
  (...reasons: string[]) =>
  (error: unknown): error is StatusError =>
    error instanceof StatusError && reasons.includes(error.reason);

export const isNotFound = hasReason('NotFound');
export const isAlreadyExists = hasReason('AlreadyExists');
export const isConflict = hasReason('Conflict');
export const isInvalid = hasReason('Invalid');
export const isForbidden = hasReason('Forbidden');
/** The resourceVersion or continue token is older than what the server still knows: list again. */
export const isExpired = hasReason('Expired', 'Gone');
