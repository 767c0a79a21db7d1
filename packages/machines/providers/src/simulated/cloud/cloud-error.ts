/** A cloud refused a request, in that cloud's words. */
export class CloudError extends Error {
  readonly code: string;
  /** True: asking again later may help (no capacity now); false: the request itself is wrong. */
  readonly isTransient: boolean;

  constructor(code: string, message: string, isTransient: boolean) {
    super(message);
    this.code = code;
    this.isTransient = isTransient;
  }
}
