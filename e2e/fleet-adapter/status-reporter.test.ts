import { reportStatus, readSettings } from '@hypershift-ts/fleet-status-reporter';
import { batchv1, type Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const namespace = 'hyperfleet-adapters';

const report = JSON.stringify({
  conditions: [
    {
      type: 'Applied',
      status: 'True',
      lastTransitionTime: '2024-12-11T10:30:00Z',
      reason: 'ManifestWorkCreated',
      message: 'sent',
    },
    { type: 'Available', status: 'False', reason: 'Provisioning', message: 'in progress' },
    { type: 'Health', status: 'True', reason: 'NoIssues', message: 'none' },
  ],
  data: { control_plane_endpoint: '', version: '' },
});

/** Time that passes as soon as somebody waits for it. */
function patientClock(): Clock {
  let now = Date.parse('2026-01-10T10:00:00Z');
  return {
    now: () => now,
    after: (ms, callback) => {
      const timer = setImmediate(() => {
        now += ms;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}

describe('the status reporter of a Job', () => {
  let server: TestCluster;
  let count = 0;
  let name = '';

  beforeAll(async () => {
    server = await startTestCluster();
    await server.client.create(corev1.namespaces, { metadata: { name: namespace } });
    await server.client.create(corev1.serviceaccounts, { metadata: { name: 'default', namespace } });
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    name = `hypershift-controlplane-c${++count}-gen1`;
    const containers = ['adapter', 'status-reporter'].map((container) => ({ name: container, image: 'x' }));
    const spec = { restartPolicy: 'Never', containers };
    const job = await server.client.create(batchv1.jobs, {
      metadata: { name, namespace },
      spec: { ttlSecondsAfterFinished: 60, template: { spec } },
    });
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid: job.metadata.uid ?? '', controller: true };
    await server.client.create(corev1.pods, {
      metadata: { name: `${name}-x`, namespace, ownerReferences: [owner] },
      spec,
    });
  });

  const adapterEnds = (exitCode: number, reason: string) =>
    server.client.patch(
      corev1.pods,
      { namespace, name: `${name}-x` },
      {
        type: 'merge',
        body: {
          status: {
            containerStatuses: [
              {
                name: 'adapter',
                image: 'x',
                imageID: '',
                ready: false,
                restartCount: 0,
                state: { terminated: { exitCode, reason } },
              },
            ],
          },
        },
      },
      { subresource: 'status' },
    );

  /** Runs the reporter with what the file holds at each look; the last stays. */
  const run = (...contents: (string | undefined)[]) => {
    const env = { RESULTS_INPUT_PATH: '/results/adapter-report.json', POLL_INTERVAL: '2', HOSTNAME: `${name}-x` };
    return reportStatus({
      settings: readSettings(env, namespace),
      client: server.client,
      clock: patientClock(),
      readResults: () => Promise.resolve(contents.length > 1 ? contents.shift() : contents[0]),
    });
  };

  const conditions = async () => {
    const job = await server.client.get(batchv1.jobs, { namespace, name });
    return (job.status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  };

  it('When the adapter writes its report, even bit by bit, all of it should be in the Job', async () => {
    expect(await run(undefined, report.slice(0, 40), report)).toBe(0);
    expect(await conditions()).toEqual([
      'Applied=True ManifestWorkCreated',
      'Available=False Provisioning',
      'Health=True NoIssues',
    ]);
    const job = await server.client.get(batchv1.jobs, { namespace, name });
    expect(job.metadata.annotations?.['hyperfleet.io/adapter-data']).toBe('{"control_plane_endpoint":"","version":""}');
    expect(await run(report)).toBe(0);
    const again = await server.client.get(batchv1.jobs, { namespace, name });
    expect(again.metadata.resourceVersion).toBe(job.metadata.resourceVersion);
  });

  it.each([
    [137, 'OOMKilled', 'AdapterOOMKilled'],
    [3, 'Error', 'AdapterExitedWithError'],
    [0, 'Completed', 'AdapterMissingResults'],
  ])('When the adapter ends with %i (%s) and no report, the Job should say %s', async (code, reason, expected) => {
    await adapterEnds(code, reason);
    expect(await run(undefined)).toBe(1);
    expect(await conditions()).toEqual(['Applied', 'Available', 'Health'].map((type) => `${type}=False ${expected}`));
  });

  it('When the adapter failed but left a report, the report should count', async () => {
    await adapterEnds(1, 'Error');
    expect(await run(undefined, report)).toBe(0);
    expect((await conditions())[0]).toBe('Applied=True ManifestWorkCreated');
  });

  it('When nothing ever comes, it should give up', async () => {
    expect(await run(undefined)).toBe(1);
    expect((await conditions())[0]).toBe('Applied=False AdapterTimeout');
  });

  it('When the report is nonsense, it should say so', async () => {
    expect(await run('{"status":"perhaps"}')).toBe(1);
    expect((await conditions())[0]).toBe('Applied=False InvalidResultFormat');
  });
});
