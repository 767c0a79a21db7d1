import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../request/context.ts';

/** One answered request, in the shape of audit.k8s.io/v1 Event at level Metadata. */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: 'Metadata';
  readonly auditID: string;
  readonly stage: 'ResponseComplete';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string; readonly uid?: string; readonly groups?: readonly string[] };
  readonly impersonatedUser?: { readonly username: string; readonly groups?: readonly string[] };
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion: string;
    readonly subresource?: string;
  };
  readonly responseStatus: { readonly metadata: object; readonly code: number; readonly reason?: string };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Where audit events go; must not block. */
export type AuditSink = (event: AuditEvent) => void;

export interface AuditedRequest {
  readonly id: string;
  readonly uri: string;
  readonly info: RequestInfo;
  readonly user: UserInfo | undefined;
  readonly impersonated: UserInfo | undefined;
  readonly sourceIp: string;
  readonly userAgent: string;
  readonly code: number;
  readonly reason: string;
  readonly receivedMs: number;
  readonly completedMs: number;
  readonly annotations: Readonly<Record<string, string>>;
}

export function auditEvent(request: AuditedRequest): AuditEvent {
  const { info, user, impersonated } = request;
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: request.id,
    stage: 'ResponseComplete',
    requestURI: request.uri,
    verb: info.verb,
    user: user ? auditUser(user) : { username: '' },
    ...(impersonated ? { impersonatedUser: auditUser(impersonated) } : {}),
    sourceIPs: [request.sourceIp],
    userAgent: request.userAgent,
    ...(info.isResource ? { objectRef: objectRefOf(info) } : {}),
    responseStatus: { metadata: {}, code: request.code, ...(request.reason === '' ? {} : { reason: request.reason }) },
    requestReceivedTimestamp: microTime(request.receivedMs),
    stageTimestamp: microTime(request.completedMs),
    ...(Object.keys(request.annotations).length > 0 ? { annotations: request.annotations } : {}),
  };
}

function auditUser({ name, uid, groups }: UserInfo): AuditEvent['user'] {
  return { username: name, ...(uid ? { uid } : {}), ...(groups.length > 0 ? { groups } : {}) };
}

function objectRefOf(info: RequestInfo): NonNullable<AuditEvent['objectRef']> {
  return {
    resource: info.resource,
    ...(info.namespace ? { namespace: info.namespace } : {}),
    ...(info.name ? { name: info.name } : {}),
    ...(info.group ? { apiGroup: info.group } : {}),
    apiVersion: info.version,
    ...(info.subresource ? { subresource: info.subresource } : {}),
  };
}

function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}
