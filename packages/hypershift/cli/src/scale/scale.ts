import { type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import type { Client } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { getNodePool } from '../cluster-access/index.ts';
import { causeText, nodePoolCause, waitForObject } from '../progress/index.ts';
import type { Terminal } from '../terminal/index.ts';

export interface ScaleRequest {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
  readonly wait?: boolean;
  readonly timeout?: number;
}

/** Why a pool has not the wanted size yet; undefined when it has. */
function scalingCause(pool: NodePool | undefined, name: string) {
  if (!pool) return { subject: `NodePool ${name}`, message: 'it does not exist' };
  const have = pool.status?.replicas ?? 0;
  const wanted = pool.spec.replicas ?? 0;
  if (have > wanted)
    return { subject: `NodePool ${name}`, message: `${have - wanted} nodes too many are being removed` };
  return nodePoolCause(pool);
}

/** Sets the number of nodes, and follows until it is reached. */
export async function scaleNodePool(client: Client, request: ScaleRequest, terminal: Terminal): Promise<void> {
  const { namespace, name, replicas } = request;
  const pool = await getNodePool(client, { namespace, name });
  const { green } = terminal.noteColors;
  if (pool.spec.autoScaling)
    throw new UserError(
      `NodePool ${namespace}/${name} scales itself between ${pool.spec.autoScaling.min ?? 0} and ${pool.spec.autoScaling.max} nodes`,
      'Change spec.autoScaling, or remove it and set spec.replicas.',
    );
  const before = pool.spec.replicas ?? 0;
  if (before === replicas) terminal.note(`NodePool ${namespace}/${name} has ${replicas} replicas already`);
  else {
    await client.patch(
      nodePools,
      { namespace, name },
      { type: 'merge', body: { spec: { replicas } } },
      { fieldManager: 'hypershift-cli' },
    );
    terminal.note(`${green('✓')} NodePool ${namespace}/${name} scaled from ${before} to ${replicas}`);
  }
  if (!request.wait) return;
  const key = `${namespace}/${name}`;
  await waitForObject({
    client,
    type: nodePools,
    namespace,
    name,
    subject: `NodePool ${key}`,
    look: (live) => scalingCause(live, key),
    timeoutMs: request.timeout ?? 0,
    onProgress: (cause) => terminal.progress(`… waiting for ${causeText(cause)}`),
  });
  terminal.note(`${green('✓')} NodePool ${key} has ${replicas} nodes`);
}
