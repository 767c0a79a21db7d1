import { statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { Lookup } from '../lookup.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Gives every pod a service account and mounts its token, unless pod or account opt out. */
export function serviceAccount(lookup: Lookup, random: () => number): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    handles: ({ resource, operation, subresource }) =>
      operation === 'CREATE' && subresource === '' && resource.group === '' && resource.resource === 'pods',
    async mutate(request) {
      const pod = request.object!;
      if (pod['metadata'].annotations?.[mirrorAnnotation] !== undefined) return;
      const spec = (pod['spec'] ??= {});
      if (!spec.serviceAccountName) spec.serviceAccountName = 'default';
      spec.serviceAccount = spec.serviceAccountName;
      const account = await accountOf(lookup, request, spec.serviceAccountName);
      if (wantsToken(spec, account)) mountToken(spec, random);
      const pullSecrets = account['imagePullSecrets'] as object[] | undefined;
      if ((spec.imagePullSecrets ?? []).length === 0 && pullSecrets && pullSecrets.length > 0)
        spec.imagePullSecrets = pullSecrets.map((reference) => ({ ...reference }));
    },
  };
}

async function accountOf(
  lookup: Lookup,
  { namespace, resource, name }: AdmissionRequest,
  account: string,
): Promise<UnstructuredObject> {
  const found = await lookup.get('', 'serviceaccounts', namespace, account);
  if (!found)
    throw statusErrors.forbidden(
      resource,
      name,
      `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`,
    );
  return found;
}

function wantsToken(spec: Draft, account: UnstructuredObject): boolean {
  if (typeof spec['automountServiceAccountToken'] === 'boolean') return spec['automountServiceAccountToken'];
  return account['automountServiceAccountToken'] !== false;
}

function mountToken(spec: Draft, random: () => number): void {
  const containers: Draft[] = [...(spec['initContainers'] ?? []), ...(spec['containers'] ?? [])];
  const needing = containers.filter(
    (container) => !(container['volumeMounts'] ?? []).some((mount: Draft) => mount['mountPath'] === mountPath),
  );
  if (needing.length === 0) return;
  const volumes: Draft[] = (spec['volumes'] ??= []);
  const existing = volumes.find((volume) => volume['name']?.startsWith('kube-api-access-') && volume['projected']);
  const name = existing?.['name'] ?? `kube-api-access-${suffix(random)}`;
  if (!existing) volumes.push(tokenVolume(name));
  for (const container of needing)
    container['volumeMounts'] = [...(container['volumeMounts'] ?? []), { name, readOnly: true, mountPath }];
}

/** The token, the cluster's CA and the namespace, as client libraries look for them. */
function tokenVolume(name: string): Draft {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  };
}

function suffix(random: () => number): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}
