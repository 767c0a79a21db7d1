import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureGuestKinds } from '@hypershift-ts/hypershift-config-operator';
import { delay, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, type Client, parseManifests } from '@hypershift-ts/kube-client';
import { createOrUpdate } from '@hypershift-ts/kube-controller';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  apiServerAnswers,
  kubeconfigClient,
  type ProcessDirectory,
  ProgramFlags,
  programLog,
  stopped,
} from '@hypershift-ts/kube-programs';
import { bootstrapBindings } from './hosted-cluster-objects.ts';

const retryMs = 500;

/** `control-plane-operator kas-bootstrap`: brings the first objects into a hosted cluster, then stays. */
export function kasBootstrap(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const flags = new ProgramFlags([...(context.command ?? []).slice(2), ...context.args]);
    const folder = context.path(flags.text('resources-path') ?? '/work');
    const client = kubeconfigClient(context, directory, context.env['KUBECONFIG_ADMIN'] ?? '', 'kas-bootstrap');
    try {
      if (!(await apiServerAnswers(client, context, (message) => log.info({}, message)))) return;
      while (!context.signal.aborted) {
        try {
          await bringIn(client, folder);
          log.info({}, 'the first objects of the hosted cluster are there');
          break;
        } catch (error) {
          log.warn({ error }, 'cannot bring in the first objects; trying again');
          await delay(context.clock, retryMs, context.signal);
        }
      }
      await stopped(context.signal);
    } finally {
      await client.close();
    }
  };
}

async function bringIn(client: Client, folder: string): Promise<void> {
  await Promise.all([bindings(client), ensureGuestKinds(client)]);
  const names: readonly string[] = await readdir(folder).catch(() => []);
  for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
    if (!/\.(ya?ml|json)$/.test(name)) continue;
    await applyManifests(client, parseManifests(await readFile(join(folder, name), 'utf8')), {
      fieldManager: 'kas-bootstrap',
    });
  }
}

async function bindings(client: Client): Promise<void> {
  for (const binding of bootstrapBindings)
    await createOrUpdate(client, rbacv1.clusterrolebindings, binding.metadata as { name: string }, binding);
}
