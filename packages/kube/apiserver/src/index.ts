/** The embedded kube-apiserver: a Kubernetes API over any Store, as a library and as a process. */
export type { AuditEvent, AuditSink } from './audit/audit.ts';
export { auditFile } from './process/audit-file.ts';
export { ApiServer } from './server/api-server.ts';
export type { ApiServerOptions } from './server/options.ts';
export type { UserInfo } from './request/context.ts';
export { apiServerFlags, parseApiServerFlags, sniPairs, unsupportedFlags } from './process/flags.ts';
export { type ApiServerProcess, type ApiServerSurroundings, runApiServer } from './process/run.ts';
export { clusterEgress, type EgressSurroundings } from './connect/egress-selector.ts';
export type { Egress } from './connect/http-connect.ts';
