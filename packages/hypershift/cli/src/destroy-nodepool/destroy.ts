import { type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { findCondition, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { getNodePool } from '../cluster-access/index.ts';
import { type Cause, causeText, nodePoolCause, waitForObject } from '../progress/index.ts';
import type { Terminal } from '../terminal/index.ts';

/** What holds the deletion: machines that do not go, and why. */
function deletionBlocker(pool: NodePool | undefined): Cause | undefined {
  if (!pool) return undefined;
  const machines = findCondition(pool.status?.conditions, 'AllMachinesReady');
  const plain = nodePoolCause(pool);
  if (!plain || machines?.status !== 'False' || !machines.message) return plain;
  return { ...plain, condition: 'AllMachinesReady', message: machines.message };
}

/** Deletes a pool and follows until its nodes are gone. */
export async function destroyNodePool(
  client: Client,
  request: { readonly namespace: string; readonly name: string; readonly wait: boolean; readonly gracePeriod: number },
  terminal: Terminal,
): Promise<void> {
  const { namespace, name } = request;
  const key = `${namespace}/${name}`;
  const { green } = terminal.noteColors;
  await getNodePool(client, { namespace, name });
  await client.delete(nodePools, { namespace, name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  terminal.note(`Deleting NodePool ${key}`);
  if (!request.wait) return;
  await waitForObject({
    client,
    type: nodePools,
    namespace,
    name,
    subject: `NodePool ${key}`,
    look: deletionBlocker,
    timeoutMs: request.gracePeriod,
    fix: 'Deletion goes on. Remove what blocks it; --grace-period lets the command wait longer.',
    onProgress: (cause) => terminal.progress(`… ${causeText(cause)}`),
  });
  terminal.note(`${green('✓')} NodePool ${key} is gone`);
}
