import { parseApiVersion, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { RequestContext, UserInfo } from '../../request/context.ts';
import { builtinCatalogue } from '../../resource/builtin.ts';
import { Catalogue } from '../../resource/catalogue.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { Lookup } from '../lookup.ts';

const catalogue = new Catalogue(builtinCatalogue());

export interface RequestOptions {
  readonly operation?: AdmissionRequest['operation'];
  readonly subresource?: string;
  readonly object?: Draft;
  readonly old?: Draft;
  readonly dryRun?: boolean;
}

/** A request about the object (or the old one), with the resource found by its kind. */
export function aRequest({
  object,
  old,
  operation,
  subresource = '',
  dryRun = false,
}: RequestOptions): AdmissionRequest {
  const subject = (object ?? old)!;
  const { group, version } = parseApiVersion(subject['apiVersion']);
  const resource = catalogue.findKind(group, version, subject['kind'])!;
  return {
    operation: operation ?? (object ? (old ? 'UPDATE' : 'CREATE') : 'DELETE'),
    resource,
    subresource,
    namespace: subject['metadata'].namespace ?? '',
    name: subject['metadata'].name ?? '',
    ...(object ? { object: structuredClone(object) } : {}),
    ...(old ? { oldObject: structuredClone(old) as unknown as UnstructuredObject } : {}),
    options: undefined,
    dryRun,
  };
}

/** Finds the given objects and nothing else. */
export function aLookup(...objects: readonly Draft[]): Lookup {
  const matching = (group: string, resource: string): UnstructuredObject[] =>
    objects.filter(({ apiVersion, kind }) => {
      const found = catalogue.findKind(parseApiVersion(apiVersion).group, parseApiVersion(apiVersion).version, kind);
      return found?.group === group && found.resource === resource;
    }) as unknown as UnstructuredObject[];
  return {
    catalogue,
    get: async (group, resource, namespace, name) =>
      matching(group, resource).find(
        ({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace,
      ),
    list: async (group, resource, namespace) =>
      matching(group, resource).filter(({ metadata }) => !namespace || metadata.namespace === namespace),
  };
}

export interface Admitted {
  readonly object: Draft | undefined;
  readonly warnings: readonly string[];
  readonly audit: Readonly<Record<string, string>>;
}

/** Runs one plugin on one request as the chain would; throws its refusal. */
export async function admit(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  user: UserInfo = { name: 'alice', groups: ['system:authenticated'] },
): Promise<Admitted> {
  const warnings: string[] = [];
  const audit: Record<string, string> = {};
  const context: RequestContext = {
    user,
    now: Date.UTC(2026, 0, 1),
    userAgent: 'test',
    warn: (text) => warnings.push(text),
    auditAnnotation: (key, value) => {
      audit[key] = value;
    },
  };
  if (plugin.handles(request)) {
    await plugin.mutate?.(request, context);
    await plugin.validate?.(request, context);
  }
  return { object: request.object, warnings, audit };
}

export const aPod = (spec: Draft = {}, metadata: Draft = {}): Draft => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', ...metadata },
  spec: { containers: [{ name: 'main', image: 'example.com/web' }], ...spec },
});
