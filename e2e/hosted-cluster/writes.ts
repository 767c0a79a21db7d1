import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';

const reading = new Set(['get', 'list', 'watch']);

/** Who may do what: the client, the verb, and the resource with its subresource. */
export type Allowed = readonly [client: RegExp, verbs: string, resource: RegExp];

/** Holding on to a lease, and asking who somebody is: what goes on for ever in a cluster where nothing happens. */
export const heartbeats: readonly Allowed[] = [
  [/./, 'create update patch', /^leases$/],
  [/^kubelet/, 'patch update', /^nodes\/status$/],
  [/./, 'create', /^(tokenreviews|subjectaccessreviews|selfsubjectaccessreviews|serviceaccounts\/token)$/],
];

/** Inside a hosted cluster its nodes also write down once a minute that they still reach the API server. */
export const hostedHeartbeats: readonly Allowed[] = [
  ...heartbeats,
  [/^kas-connection-checker$/, 'patch', /^configmaps$/],
];

/** What Kubernetes itself does when pods are replaced. */
export const podLifecycle: readonly Allowed[] = [
  [/^kubelet/, 'create patch delete', /^(pods|pods\/status|events|serviceaccounts\/token)$/],
  [/^kube-scheduler/, 'create', /^(pods\/binding|events)$/],
  [/^kube-scheduler/, 'patch update', /^pods\/status$/],
  [
    /^kube-controller-manager/,
    'create update patch delete',
    /^(pods|events|endpoints|endpointslices|(deployments|replicasets|statefulsets|poddisruptionbudgets)\/status)$/,
  ],
];

export interface Write {
  readonly client: string;
  readonly verb: string;
  readonly resource: string;
  readonly object: string;
}

export function writesIn(events: readonly AuditEvent[]): readonly Write[] {
  return events
    .filter(({ verb, objectRef }) => !reading.has(verb) && objectRef)
    .map(({ verb, userAgent, objectRef }) => ({
      client: userAgent,
      verb,
      resource: [objectRef?.resource, objectRef?.subresource].filter(Boolean).join('/'),
      object: [objectRef?.namespace, objectRef?.name].filter(Boolean).join('/'),
    }));
}

/** Those nobody allowed, one line each. */
export function unexpected(writes: readonly Write[], allowed: readonly Allowed[]): readonly string[] {
  const isAllowed = (write: Write) =>
    allowed.some(
      ([client, verbs, resource]) =>
        client.test(write.client) && verbs.split(' ').includes(write.verb) && resource.test(write.resource),
    );
  return writes
    .filter((write) => !isAllowed(write))
    .map(({ client, verb, resource, object }) => `${client} ${verb} ${resource} ${object}`);
}

/** The audit logs of hosted API servers, which they keep in volumes of their pods. */
export async function hostedAudit(folder: string): Promise<readonly AuditEvent[]> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('/logs/audit.log'));
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditEvent),
  );
}
