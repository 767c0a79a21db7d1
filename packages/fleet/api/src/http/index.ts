/** REST over node:http: routes, requests, answers, probes. */
export { apiListener, type ApiListenerOptions } from './api-server.ts';
export type { HandlerContext } from './handlers.ts';
export { type Listening, listen, type ListenOptions } from './listen.ts';
export { healthListener, metricsListener } from './probes.ts';
export type { ApiResponse } from './response.ts';
