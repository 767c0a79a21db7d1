import { type ResourceType, StatusError, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { commonPolicies, platformConversion, platformPolicies } from '@hypershift-ts/machines-migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { vectors } from '../harness/vectors.ts';
import { admissionTypes, createNamespaces, definitionOf, waitUntilServed } from './fixtures.ts';

/** One admission request and what becomes of it; see README.md beside the vectors. */
interface PolicyCase {
  readonly id: string;
  readonly policy: string;
  readonly operation: 'CREATE' | 'UPDATE';
  readonly username: string;
  readonly object: UnstructuredObject;
  readonly oldObject?: UnstructuredObject;
  readonly params: readonly UnstructuredObject[];
  readonly expect: 'allow' | 'deny' | 'warn';
  readonly messageContains?: string;
}

const folder = 'machine-api';
const present = vectors.has(`${folder}/policy-cases.json`);
const cases = present ? vectors.json<{ cases: PolicyCase[] }>(`${folder}/policy-cases.json`).cases : [];

/** Kinds the vectors carry no definition for: any content will do. */
const looseKinds = [
  ['cluster.x-k8s.io', 'v1beta2', 'machines', 'Machine'],
  ['cluster.x-k8s.io', 'v1beta2', 'machinesets', 'MachineSet'],
  ['infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsmachines', 'AWSMachine'],
  ['infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsmachinetemplates', 'AWSMachineTemplate'],
] as const;

const plurals: Readonly<Record<string, string>> = {
  Machine: 'machines',
  MachineSet: 'machinesets',
  AWSMachine: 'awsmachines',
  AWSMachineTemplate: 'awsmachinetemplates',
};

function typeOf({ apiVersion, kind }: UnstructuredObject): ResourceType {
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version, kind, resource: plurals[kind]!, namespaced: true };
}

interface PolicyAndBinding {
  readonly policy: UnstructuredObject;
  readonly binding: UnstructuredObject;
}

function upstreamPolicies(): readonly PolicyAndBinding[] {
  const items = ['default', 'aws'].flatMap((name) => {
    const file = vectors.json<UnstructuredObject[] | { items: UnstructuredObject[] }>(
      `${folder}/upstream-policies/${name}.json`,
    );
    return Array.isArray(file) ? file : file.items;
  });
  return items
    .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
    .map((policy) => {
      const isBound = ({ kind, spec }: UnstructuredObject) =>
        kind === 'ValidatingAdmissionPolicyBinding' &&
        (spec as { policyName: string }).policyName === policy.metadata.name;
      return { policy, binding: items.find(isBound)! };
    });
}

/** Ours are written in other words and must come to the same verdicts. */
function ownPolicies(): readonly PolicyAndBinding[] {
  const own = [...commonPolicies(), ...platformPolicies(platformConversion('AWS')!)];
  return JSON.parse(JSON.stringify(own)) as readonly PolicyAndBinding[];
}

const sources = [
  ['upstream', upstreamPolicies],
  ['this repository', ownPolicies],
] as const;

describe.skipIf(!present).each(sources)('The admission policies of Machine API migration of %s', (source, load) => {
  let server: TestCluster;
  let admin: Client;
  const policies = new Map<string, PolicyAndBinding>();
  const clients = new Map<string, HttpClient>();

  beforeAll(async () => {
    server = await startTestCluster();
    admin = server.cluster.client();
    await createNamespaces(admin, ['openshift-machine-api', 'openshift-cluster-api']);
    for (const name of ['machines', 'machinesets'])
      await admin.create(
        admissionTypes.definitions,
        vectors.json<UnstructuredObject>(`${folder}/crds/${name}.gate-on.json`),
      );
    for (const [group, version, plural, kind] of looseKinds)
      await admin.create(admissionTypes.definitions, definitionOf(group, version, plural, kind));
    for (const path of [
      '/apis/machine.openshift.io/v1beta1/machinesets',
      '/apis/machine.openshift.io/v1beta1/machines',
    ])
      await waitUntilServed(server.client, path);
    for (const [group, version, resource] of looseKinds)
      await waitUntilServed(server.client, `/apis/${group}/${version}/${resource}`);
    for (const entry of load()) policies.set(entry.policy.metadata.name!, entry);
    for (const { policy } of policies.values()) await admin.create(admissionTypes.policies, policy);
  }, 60_000);

  afterAll(async () => {
    for (const client of clients.values()) await client.close();
    await server.stop();
  });

  /** A client tells each warning once, so cases about warnings get one of their own. */
  function clientOf(user: string, purpose = ''): HttpClient {
    let client = clients.get(user + purpose);
    if (!client) {
      const config = clusterConfigFrom(parseKubeconfig(server.cluster.adminKubeconfig(), 'test', '/'));
      client = new HttpClient({ ...config, impersonate: { user, groups: ['system:masters', 'system:authenticated'] } });
      clients.set(user + purpose, client);
    }
    return client;
  }

  /** Stores an object with its status; one marked for deletion is held by a finalizer. */
  async function seed(object: UnstructuredObject): Promise<UnstructuredObject> {
    const type = typeOf(object);
    const { deletionTimestamp, ...metadata } = object.metadata;
    const held = deletionTimestamp ? { ...metadata, finalizers: ['example.com/held'] } : metadata;
    let stored = await admin.create(type, { ...object, metadata: held });
    const { status } = object;
    if (status) stored = await admin.update(type, { ...stored, status }, { subresource: 'status' });
    const key = { name: object.metadata.name!, namespace: object.metadata.namespace! };
    if (deletionTimestamp) await admin.delete(type, key);
    return deletionTimestamp ? admin.get(type, key) : stored;
  }

  async function remove(object: UnstructuredObject): Promise<void> {
    const type = typeOf(object);
    const key = { name: object.metadata.name!, namespace: object.metadata.namespace! };
    const gone = (error: unknown) => {
      if (!(error instanceof StatusError) || error.code !== 404) throw error;
    };
    await admin.delete(type, key).catch(gone);
    await admin.patch(type, key, { type: 'merge', body: { metadata: { finalizers: null } } }).catch(gone);
  }

  /** Sends the case's request; what the server says, and the warnings it sent along. */
  async function submit(
    { id, object, username, operation, expect: wanted }: PolicyCase,
    stored: UnstructuredObject | undefined,
  ) {
    const client = clientOf(username, wanted === 'warn' ? id : '');
    const warnings: string[] = [];
    client.onWarning = (text) => warnings.push(text);
    try {
      if (operation === 'CREATE') await client.create(typeOf(object), object);
      else {
        const { deletionTimestamp: _, ...metadata } = object.metadata;
        const { finalizers, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds } = stored!.metadata;
        await client.update(typeOf(object), {
          ...object,
          metadata: {
            ...metadata,
            resourceVersion: resourceVersion!,
            ...(finalizers ? { finalizers } : {}),
            ...(deletionTimestamp
              ? { deletionTimestamp, deletionGracePeriodSeconds: deletionGracePeriodSeconds! }
              : {}),
          },
        });
      }
      return { verdict: warnings.length > 0 ? 'warn' : 'allow', text: warnings.join('\n') };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { verdict: 'deny', text: error.message };
    }
  }

  it('When they are loaded, it should have accepted every one that upstream has', () => {
    const names = new Set(cases.map(({ policy }) => policy));
    expect([names.size, [...names].filter((name) => !policies.has(name))]).toEqual([13, []]);
    expect(policies.size).toBe(source === 'upstream' ? 13 : 19);
  });

  it.each(cases.map((entry) => [entry.id, entry] as const))(
    'When %s is submitted, it should be judged as upstream',
    async (_, entry) => {
      const { binding } = policies.get(entry.policy)!;
      const seeded = [...entry.params, ...(entry.oldObject ? [entry.oldObject] : [])];
      try {
        const stored = [];
        for (const object of seeded) stored.push(await seed(object));
        await admin.create(admissionTypes.bindings, binding);
        const { verdict, text } = await submit(entry, entry.oldObject && stored.at(-1));
        expect(`${verdict}: ${text}`).toMatch(new RegExp(`^${entry.expect}`));
        expect(text).toContain(entry.messageContains ?? '');
        expect(text).toContain(
          verdict === 'deny' ? `Policy '${entry.policy}' with binding '${binding.metadata.name}' denied request: ` : '',
        );
      } finally {
        await admin.delete(admissionTypes.bindings, { name: binding.metadata.name! }).catch(() => {});
        for (const object of [...seeded, entry.object]) await remove(object);
      }
    },
  );
});
