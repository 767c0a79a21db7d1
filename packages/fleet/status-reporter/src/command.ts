import { readFileSync } from 'node:fs';
import type { CommandContext } from '@hypershift-ts/fleet-serving';
import { createLog } from '@hypershift-ts/fleet-serving';
import { errorMessage, systemClock } from '@hypershift-ts/kube-apimachinery';
import { HttpClient, inClusterConfig } from '@hypershift-ts/kube-client';
import { reportStatus } from './reporter.ts';
import { readSettings } from './settings.ts';

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** Runs the reporter inside its pod and gives its exit code. */
export async function statusReporterCommand({
  env,
  version,
  out,
  err,
  signal,
  clock = systemClock,
}: CommandContext): Promise<number> {
  try {
    const log = createLog({
      level: env['LOG_LEVEL'],
      write: out,
      now: () => clock.now(),
      component: 'status-reporter',
      version,
    });
    const settings = readSettings(env, namespaceOfPod());
    const client = new HttpClient(await inClusterConfig());
    try {
      return await reportStatus({ settings, client, clock, log }, signal);
    } finally {
      await client.close();
    }
  } catch (error) {
    err(`status-reporter: ${errorMessage(error)}\n`);
    return 1;
  }
}

function namespaceOfPod(): string | undefined {
  try {
    return readFileSync(namespaceFile, 'utf8').trim();
  } catch {
    return undefined;
  }
}
