/** Why a dial failed; upstream's names where it has one. */
export type DialFailure =
  | 'no_agent'
  | 'error_response'
  | 'backend_close'
  | 'backend_dial_timeout'
  | 'frontend_close'
  | 'bad_address'
  | 'too_many';

export class DialError extends Error {
  readonly failure: DialFailure;

  constructor(failure: DialFailure, message: string) {
    super(message);
    this.name = 'DialError';
    this.failure = failure;
  }
}

/** The HTTP status a CONNECT is answered with. */
export function httpStatusOf({ failure, message }: DialError): number {
  switch (failure) {
    case 'no_agent':
      return 500;
    case 'bad_address':
      return 400;
    case 'too_many':
      return 503;
    case 'backend_dial_timeout':
      return 504;
    default:
      if (/timeout|deadline exceeded/i.test(message)) return 504;
      return /too many open files/i.test(message) ? 503 : 502;
  }
}
