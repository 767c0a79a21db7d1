import { readFile, stat } from 'node:fs/promises';
import type { Log } from '@hypershift-ts/fleet-serving';
import type { Clock, Condition, JsonObject } from '@hypershift-ts/kube-apimachinery';
import { batchv1, corev1, delay, formatTime, isConflict, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { FailureReason } from './conditions.ts';
import { failureConditions, mergedConditions } from './conditions.ts';
import type { AdapterResult, ReadResult } from './result.ts';
import { largestResult, readResult } from './result.ts';
import type { ReporterSettings } from './settings.ts';

const containerCheckMs = 10_000;
const mostConflicts = 10;
const dataAnnotation = 'hyperfleet.io/adapter-data';

export interface ReporterOptions {
  readonly settings: ReporterSettings;
  readonly client: Client;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Undefined when there is no file (yet). */
  readonly readResults?: (path: string) => Promise<string | undefined>;
}

interface Exit {
  readonly code: number;
  readonly reason: string;
}

/**
 * Waits for the result of the adapter beside it and copies it into the status of their Job, without understanding it.
 * Gives the exit code: 0 when a result was reported, whatever it says; 1 when there was none to report.
 */
export async function reportStatus(options: ReporterOptions, signal?: AbortSignal): Promise<number> {
  return new Reporter(options).run(signal);
}

class Reporter {
  private readonly options: ReporterOptions;
  private readonly clock: Clock;

  constructor(options: ReporterOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
  }

  async run(signal?: AbortSignal): Promise<number> {
    const { settings, log } = this.options;
    const until = this.clock.now() + settings.maxWaitMs;
    let nextCheck = this.clock.now();
    let seen: ReadResult | undefined;
    while (!signal?.aborted) {
      seen = await this.read();
      if (seen?.kind === 'result') return this.report(seen.result);
      if (seen?.kind === 'invalid') return this.fail('InvalidResultFormat', seen.message);
      if (this.clock.now() >= nextCheck) {
        nextCheck = this.clock.now() + containerCheckMs;
        const exit = await this.adapterExit();
        if (exit) return this.afterExit(exit);
      }
      if (this.clock.now() >= until) {
        const waited = `no result within ${settings.maxWaitMs / 1000} seconds`;
        return this.fail(
          'AdapterTimeout',
          seen?.kind === 'incomplete' ? `${waited}; the file is no JSON: ${seen.message}` : waited,
        );
      }
      await delay(this.clock, settings.pollMs, signal);
    }
    log?.('warning', 'stopped before there was a result');
    return 1;
  }

  private async read(): Promise<ReadResult | undefined> {
    const { settings, readResults = readFileIfThere } = this.options;
    const text = await readResults(settings.resultsPath);
    return text === undefined ? undefined : readResult(text, settings.conditionType, this.now());
  }

  /** The result counts, not the exit code: it is looked for once more after the adapter has ended. */
  private async afterExit({ code, reason }: Exit): Promise<number> {
    const result = await this.read();
    if (result?.kind === 'result') return this.report(result.result);
    if (result) return this.fail('InvalidResultFormat', result.message);
    if (reason === 'OOMKilled') return this.fail('AdapterOOMKilled', 'the adapter ran out of memory; raise its limit');
    if (code !== 0) return this.fail('AdapterExitedWithError', `the adapter exited with code ${code} (${reason})`);
    return this.fail('AdapterMissingResults', `the adapter ended without writing ${this.options.settings.resultsPath}`);
  }

  private async adapterExit(): Promise<Exit | undefined> {
    const { settings, client } = this.options;
    const pod = await client.get(corev1.pods, { namespace: settings.namespace, name: settings.podName });
    const statuses = pod.status?.containerStatuses ?? [];
    const status = settings.adapterContainer
      ? statuses.find(({ name }) => name === settings.adapterContainer)
      : statuses.find(({ name }) => name !== 'status-reporter');
    const ended = status?.state?.terminated;
    return ended && { code: ended.exitCode, reason: ended.reason ?? 'Error' };
  }

  private async report({ conditions, data }: AdapterResult): Promise<number> {
    await this.write(conditions, data);
    this.options.log?.('info', 'the result was reported');
    return 0;
  }

  private async fail(reason: FailureReason, message: string): Promise<number> {
    this.options.log?.('error', `${reason}: ${message}`);
    await this.write(failureConditions(reason, message, this.options.settings, this.now()));
    return 1;
  }

  private now(): string {
    return formatTime(this.clock.now());
  }

  private async write(conditions: readonly Condition[], data?: JsonObject): Promise<void> {
    const { client, settings } = this.options;
    const key = { namespace: settings.namespace, name: settings.jobName ?? (await this.jobOfPod()) };
    // Conditions of a Job have no place for data.
    if (data) {
      const annotations = { [dataAnnotation]: JSON.stringify(data) };
      await client.patch(batchv1.jobs, key, { type: 'merge', body: { metadata: { annotations } } });
    }
    for (let attempt = 1; ; attempt++) {
      const job = await client.get(batchv1.jobs, key);
      const merged = mergedConditions((job.status?.conditions ?? []) as readonly Condition[], conditions);
      if (!merged) return;
      try {
        const status = { ...job.status, conditions: merged as NonNullable<typeof job.status>['conditions'] };
        await client.update(batchv1.jobs, { ...job, status } as typeof job, { subresource: 'status' });
        return;
      } catch (error) {
        if (!isConflict(error) || attempt >= mostConflicts) throw error;
      }
    }
  }

  private async jobOfPod(): Promise<string> {
    const { client, settings } = this.options;
    const pod = await client.get(corev1.pods, { namespace: settings.namespace, name: settings.podName });
    const owner = pod.metadata.ownerReferences?.find(({ kind }) => kind === 'Job')?.name;
    const name = owner ?? pod.metadata.labels?.['batch.kubernetes.io/job-name'];
    if (name === undefined) throw new Error(`the pod ${settings.podName} belongs to no Job; set JOB_NAME`);
    return name;
  }
}

async function readFileIfThere(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    // Too large is told from the length; reading all of it could take all the memory there is.
    return size > largestResult ? ' '.repeat(largestResult + 1) : await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
