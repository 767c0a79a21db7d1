import type { JsonObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { loadAdapter } from '../config/load.ts';
import { ApiMock } from '../dry-run/api-mock.ts';
import { MemoryTransport } from '../dry-run/memory-transport.ts';
import { runTask } from '../run/run.ts';
import { hasVectors, vectorText } from '../testing/vectors.ts';

const cluster = (available: boolean): JsonObject => ({
  id: 'c1',
  name: 'demo',
  spec: {
    gcp_project_id: 'p1',
    gcp_project_number: '42',
    gcp_region: 'us-central1',
    vpc_network_name: 'net',
    psc_subnet_name: 'psc',
    wif_pool_id: 'pool',
    wif_provider_id: 'provider',
    control_plane_sa_email: 'cp@p1.iam',
    nodepool_sa_email: 'np@p1.iam',
    endpoint_access: 'Private',
    openshift_version: '4.17.3',
    cluster_network_cidr: '10.1.0.0/16',
    service_network_cidr: '10.2.0.0/16',
    machine_network_cidr: '10.3.0.0/16',
    base_domain: 'example.test',
    public_zone_id: 'zone-from-spec',
  },
  status: {
    phase: 'NotReady',
    adapters: ['validation', 'dns', 'pullsecret'].map((name) => ({
      name,
      conditions: [{ type: 'Available', status: available || name !== 'dns' ? 'True' : 'False' }],
      data: name === 'pullsecret' ? { pull_secret_name: 'pull-1' } : {},
    })),
  },
});

/** Runs the snippets of the spike as one file, as its authors meant them. */
async function run(resources: string, available: boolean, status?: JsonObject) {
  const text = ['preconditions.yaml', resources, 'post.yaml'].map((name) => vectorText(`spike/${name}`)).join('\n');
  const adapter = loadAdapter(
    {
      config: {
        file: 'config.yaml',
        text: 'adapter: {name: controlplane}\nclients: {hyperfleet_api: {base_url: "http://api"}}',
      },
      task: { file: 'task.yaml', text },
    },
    { env: {} },
  );
  const response = {
    match: { method: 'GET', urlPattern: '/api/v1/clusters/c1$' },
    responses: [{ body: cluster(available) }],
  };
  const api = new ApiMock({ responses: [response] }, { version: 'v1', baseUrl: 'http://api' });
  const memory = new MemoryTransport(new Map(), adapter.texts.clock);
  const applied: UnstructuredObject[] = [];
  const transport = {
    apply: (request: Parameters<MemoryTransport['apply']>[0]) => {
      applied.push(request.manifest);
      const withStatus = status ? { ...request.manifest, status } : request.manifest;
      return memory.apply({ ...request, manifest: withStatus });
    },
    find: (query: Parameters<MemoryTransport['find']>[0]) => memory.find(query),
    delete: (request: Parameters<MemoryTransport['delete']>[0]) => memory.delete(request),
  };
  const result = await runTask(
    adapter,
    { id: 'e', type: 't', data: { id: 'c1', kind: 'Cluster', generation: 2 } },
    { api, transports: { kubernetes: transport, maestro: transport }, env: { MANAGEMENT_CLUSTER_NAME: 'mgmt-1' } },
  );
  const sent = api.requests.find(({ method }) => method === 'POST');
  return { result, applied, url: sent?.url, report: JSON.parse(sent?.requestBody ?? '{}') as JsonObject };
}

const statuses = (report: JsonObject): readonly string[] =>
  (report['conditions'] as { type: string; status: string; reason: string }[]).map(
    ({ type, status, reason }) => `${type}=${status} ${reason}`,
  );

const ready = {
  conditions: [
    { type: 'Available', status: 'True' },
    { type: 'Degraded', status: 'False' },
  ],
  version: '4.17.3',
};

describe.runIf(hasVectors)('the spike as one configuration', () => {
  it('When an adapter before it is not done, it should create nothing and report that', async () => {
    const { result, applied, report } = await run('resources-bare-hostedcluster.yaml', false);
    expect(result.status).toBe('success');
    expect(applied).toEqual([]);
    expect(statuses(report)).toEqual([
      'Applied=False PreconditionsNotMet',
      'Available=False PreconditionsNotMet',
      'Health=True NoErrors',
    ]);
  });

  it('When all are done, it should create the HostedCluster and report all that the API asks for', async () => {
    const { result, applied, url, report } = await run('resources-bare-hostedcluster.yaml', true, ready);
    expect(result.errors).toEqual({});
    expect(applied).toMatchObject([
      {
        kind: 'HostedCluster',
        metadata: { name: 'demo', namespace: 'clusters', annotations: { 'hyperfleet.io/generation': '2' } },
        spec: {
          platform: { type: 'GCP', gcp: { project: 'p1', resourceLabels: [{ key: 'cluster-id', value: 'c1' }, {}] } },
          pullSecret: { name: 'pull-1' },
          dns: { baseDomain: 'example.test', publicZoneID: 'zone-from-spec' },
          release: { image: 'quay.io/openshift-release-dev/ocp-release:4.17.3' },
        },
      },
    ]);
    expect(url).toBe('/api/v1/clusters/c1/statuses');
    expect(report).toMatchObject({
      adapter: 'controlplane',
      observed_generation: 2,
      data: { control_plane_endpoint: '', version: '4.17.3' },
    });
    expect(statuses(report)).toEqual([
      'Applied=True ResourcesExist',
      'Available=True PostconditionsMet',
      'Health=True AllChecksPass',
    ]);
  });

  it('When it goes through Maestro, it should see the object through the feedback', async () => {
    const feedback = {
      resourceStatus: {
        manifests: [
          {
            resourceMeta: {
              group: 'hypershift.openshift.io',
              kind: 'HostedCluster',
              name: 'demo',
              namespace: 'clusters',
            },
            statusFeedback: {
              values: [{ name: 'status', fieldValue: { type: 'JsonRaw', jsonRaw: JSON.stringify(ready) } }],
            },
          },
        ],
      },
    };
    const { result, applied, report } = await run('resources-backend-maestro.yaml', true, feedback);
    expect(result.errors).toEqual({});
    expect(applied).toMatchObject([
      { kind: 'ManifestWork', metadata: { name: 'hostedcluster-c1', namespace: 'mgmt-1' } },
    ]);
    expect(report['data']).toEqual({ control_plane_endpoint: '', version: '4.17.3' });
    expect(statuses(report).map((line) => line.split(' ')[0])).toEqual([
      'Applied=True',
      'Available=True',
      'Health=True',
    ]);
  });
});
