/** Problems (RFC 9457): their codes, the error that carries one, and the body a client sees. */
export {
  ApiError,
  badRequest,
  type Constraint,
  type FieldProblem,
  invalid,
  malformed,
  notFound,
  type Problem,
  problemBody,
  wrongState,
} from './problem.ts';
