import { readFileSync } from 'node:fs';

interface AuditEvent {
  readonly verb: string;
  readonly userAgent?: string;
  readonly requestReceivedTimestamp: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
}

const reading = new Set(['get', 'list', 'watch']);
/** Kubernetes itself and people. */
const others = /^(kube-|kubelet|kubectl|service-proxy|somebody|hypershift-install)/;
/** What goes on for ever in a cluster where nothing happens, and what only asks. */
const heartbeats = /^(leases|tokenreviews|(self)?subjectaccessreviews|events)$/;

/** What operators asked of an API server, by the audit log it writes. */
function operatorRequests(file: string, sinceMs: number): readonly (AuditEvent & { readonly line: string })[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(
      ({ userAgent = '', requestReceivedTimestamp }) =>
        !others.test(userAgent) && Date.parse(requestReceivedTimestamp) >= sinceMs,
    )
    .map((event) => ({ ...event, line: lineOf(event) }));
}

function lineOf({ userAgent, verb, objectRef }: AuditEvent): string {
  const resource = [objectRef?.resource, objectRef?.subresource].filter(Boolean).join('/');
  return `${userAgent} ${verb} ${resource} ${[objectRef?.namespace, objectRef?.name].filter(Boolean).join('/')}`;
}

/** What operators wrote, one line each. */
export function operatorWrites(file: string, sinceMs = 0): readonly string[] {
  return operatorRequests(file, sinceMs)
    .filter(({ verb, objectRef }) => !reading.has(verb) && objectRef && !heartbeats.test(objectRef.resource ?? ''))
    .map(({ line }) => line);
}

/** What operators were not allowed to do, or asked in a way the server does not take. */
export function operatorRefusals(file: string): readonly string[] {
  return operatorRequests(file, 0)
    .filter(({ responseStatus: { code = 0 } = {} }) => [400, 401, 403, 405, 415, 422].includes(code))
    .filter(({ line }) => !isStaleStatus(line))
    .map(({ line, responseStatus }) => `${line}: ${responseStatus?.code} ${responseStatus?.message}`);
}

/** A JSON patch that is tied to a version and comes late is refused as invalid, and made again. */
const isStaleStatus = (line: string) =>
  line.startsWith('hosted-cluster-config-operator patch hostedcontrolplanes/status');
