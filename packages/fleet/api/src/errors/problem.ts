import { problems, type ProblemCode } from './codes.ts';

export type Constraint =
  | 'required'
  | 'min'
  | 'max'
  | 'min_length'
  | 'max_length'
  | 'pattern'
  | 'enum'
  | 'format'
  | 'unique';

/** What is wrong with one field of a request. */
export interface FieldProblem {
  readonly field: string;
  readonly value?: unknown;
  readonly constraint?: Constraint;
  readonly message: string;
}

/** RFC 9457 body of every failed request. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly timestamp: string;
  readonly trace_id: string;
  readonly errors?: readonly FieldProblem[];
}

interface ProblemOptions {
  readonly fields?: readonly FieldProblem[];
  /** Another HTTP status than the code's own; a child created outside its parent is VAL-000 with 422. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A failure with its answer: thrown anywhere, translated once at the edge. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail?: string, options: ProblemOptions = {}) {
    super(detail ?? problems[code][3], options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? problems[code][0];
    this.fields = options.fields ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The body a client sees for a failure. */
export function problemBody(
  error: ApiError,
  request: { readonly path: string; readonly traceId: string; readonly now: string },
): Problem {
  const [, slug, title] = problems[error.code];
  return {
    type: `https://api.hyperfleet.io/errors/${slug}`,
    title,
    status: error.status,
    detail: error.message,
    instance: request.path,
    code: `HYPERFLEET-${error.code}`,
    timestamp: request.now,
    trace_id: request.traceId,
    ...(error.fields.length > 0 ? { errors: error.fields } : {}),
  };
}

export const invalid = (detail: string, fields: readonly FieldProblem[] = []): ApiError =>
  new ApiError('VAL-000', detail, { fields });
export const badRequest = (detail: string): ApiError => new ApiError('VAL-005', detail);
export const malformed = (detail: string): ApiError => new ApiError('VAL-006', detail);
export const notFound = (kind: string, id: string): ApiError =>
  new ApiError('NTF-001', `${kind} with id='${id}' not found`);
export const wrongState = (detail: string): ApiError => new ApiError('CNF-003', detail);
