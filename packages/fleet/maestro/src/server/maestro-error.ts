/** What a server refuses, with the number and status that clients know. */
export class MaestroError extends Error {
  override readonly name = 'MaestroError';
  readonly number: number;
  readonly httpStatus: number;
  readonly reason: string;

  constructor(kind: keyof typeof kinds, message: string) {
    super(message);
    const [number, httpStatus, reason] = kinds[kind];
    this.number = number;
    this.httpStatus = httpStatus;
    this.reason = reason;
  }

  get code(): string {
    return `maestro-${this.number}`;
  }
}

const kinds = {
  forbidden: [4, 403, 'Forbidden'],
  conflict: [6, 409, 'Conflict'],
  alreadyExists: [6, 409, 'AlreadyExists'],
  notFound: [7, 404, 'NotFound'],
  validation: [8, 400, 'Invalid'],
  general: [9, 500, 'InternalError'],
  notImplemented: [10, 405, 'MethodNotAllowed'],
  malformed: [17, 400, 'BadRequest'],
  badRequest: [21, 400, 'BadRequest'],
} as const satisfies Readonly<Record<string, readonly [number, number, string]>>;

/** A failure as Go clients unwrap it from the message of a gRPC error; others find the code in the text. */
export function statusMessage(error: MaestroError, name: string): string {
  return JSON.stringify({
    ErrStatus: {
      status: 'Failure',
      code: error.httpStatus,
      reason: error.reason,
      message: `${error.code}: ${error.message}`,
      details: { group: 'work.open-cluster-management.io', kind: 'manifestworks', name },
    },
  });
}
