/** What all clients of the HyperFleet API share: bounded exchanges, rotated tokens, waits between attempts. */
export { exchange, type ExchangeAnswer, type ExchangeRequest, type Fetch, isRetryable } from './exchange.ts';
export { type BackOffRule, type RetryBackoff, retryDelay } from './retry-delay.ts';
export { TokenFile } from './token-file.ts';
