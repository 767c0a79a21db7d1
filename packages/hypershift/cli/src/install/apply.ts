import { appsv1, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, type Client } from '@hypershift-ts/kube-client';
import { waitForObject } from '../progress/index.ts';
import { operatorName } from './access.ts';
import { installCrds, installResources } from './objects.ts';
import type { InstallOptions } from './options.ts';

export interface InstallActions {
  readonly client: Client;
  readonly scope?: 'all' | 'crds' | 'resources';
  readonly note?: (text: string) => void;
  readonly signal?: AbortSignal;
}

const fieldManager = 'hypershift-install';

/** Installs HyperShift into a management cluster, or brings it up to date; may be repeated. */
export async function install(
  options: InstallOptions,
  { client, scope = 'all', note, signal }: InstallActions,
): Promise<void> {
  const settings = { fieldManager, ...(signal ? { signal } : {}) };
  if (scope !== 'resources') {
    const crds = await applyManifests(client, installCrds(options), settings);
    note?.(`${crds.length} kinds are known`);
  }
  if (scope === 'crds') return;
  const applied = await applyManifests(client, installResources(options), settings);
  for (const object of applied) note?.(nameOf(object));
}

const nameOf = ({ kind, metadata }: KubeObject) =>
  `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

/** Waits until the operator runs. */
export function operatorAvailable(client: Client, namespace: string, timeoutMs: number): Promise<void> {
  return waitForObject({
    client,
    type: appsv1.deployments,
    namespace,
    name: operatorName,
    subject: `Deployment ${namespace}/${operatorName}`,
    look(deployment) {
      if ((deployment?.status?.availableReplicas ?? 0) > 0) return undefined;
      const condition = deployment?.status?.conditions?.find(({ status }) => status === 'False');
      return {
        subject: `Deployment ${namespace}/${operatorName}`,
        message: condition?.message ?? 'no replica is available',
      };
    },
    timeoutMs,
    fix: `Look at its pods: kubectl -n ${namespace} get pods`,
  });
}
