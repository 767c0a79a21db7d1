import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { clientFrom, serverOf } from '../clients/program-client.ts';
import { tokenOf } from '../clients/service-account-access.ts';
import type { ProcessDirectory } from '../directory.ts';
import { ProgramFlags } from '../program-flags.ts';
import { programLog } from '../program-log.ts';

const retryMs = 10_000;
/** While there is no token at all others wait for it, so the first is asked for more eagerly. */
const firstRetryMs = 500;

/** Keeps a token of a service account in a file: asked for at the cluster of a kubeconfig, renewed at 80 % of its life. */
export function tokenMinter(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args], new Set(['oneshot']));
    const required = (name: string): string => {
      const value = flags.text(name);
      if (!value) throw new Error(`--${name} is required`);
      return value;
    };
    const account = { namespace: required('service-account-namespace'), name: required('service-account-name') };
    const file = context.path(required('token-file'));
    const audiences = flags.list('token-audience');
    const server = serverOf(context, directory, required('kubeconfig'));
    const client = clientFrom(context, server, 'token-minter');
    let isHeld = false;
    try {
      while (!context.signal.aborted) {
        let waitMs: number;
        try {
          const askedMs = context.clock.now();
          const { status } = await tokenOf(client, account, audiences.length > 0 ? { audiences } : {});
          await replaceFile(file, status?.token ?? '');
          isHeld = true;
          const untilMs = Date.parse(status?.expirationTimestamp ?? '') || askedMs + 3_600_000;
          waitMs = Math.max(1000, 0.8 * (untilMs - askedMs));
          log.info(
            { serviceAccount: `${account.namespace}/${account.name}`, until: status?.expirationTimestamp ?? '' },
            'token written',
          );
          if (flags.boolean('oneshot')) return;
        } catch (error) {
          log.warn({ error }, 'no token; trying again');
          waitMs = isHeld ? retryMs : firstRetryMs;
        }
        await delay(context.clock, waitMs, context.signal);
      }
    } finally {
      await client.close();
    }
  };
}

/** Readers see the old token or the new one, never half of it. */
async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o755 });
  await writeFile(`${file}.tmp`, text, { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}
