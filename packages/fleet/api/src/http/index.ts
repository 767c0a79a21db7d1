/** REST over node:http: routes, requests, answers, probes. */
export { apiListener } from './api-server.ts';
export { type Listening, listen } from './listen.ts';
export { healthListener, metricsListener } from './probes.ts';
