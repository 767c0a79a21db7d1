import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { admissionTypes, createNamespaces } from './fixtures.ts';

const { configMaps, mutatingBindings, mutatingPolicies, pods } = admissionTypes;

const rules = (resource: string) => ({
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }],
});

describe('A MutatingAdmissionPolicy', () => {
  let server: TestCluster;
  let client: Client;

  beforeAll(async () => {
    server = await startTestCluster();
    client = server.client;
    await createNamespaces(client, ['mutated']);
  });

  afterAll(() => server.stop());

  afterEach(async () => {
    await client.deleteCollection(mutatingBindings, {});
    await client.deleteCollection(mutatingPolicies, {});
  });

  const policy = async (name: string, resource: string, mutations: object[], more: object = {}) => {
    await client.create(mutatingPolicies, {
      metadata: { name },
      spec: { matchConstraints: rules(resource), reinvocationPolicy: 'Never', mutations, ...more },
    } as unknown as UnstructuredObject);
    await client.create(mutatingBindings, {
      metadata: { name },
      spec: { policyName: name },
    } as unknown as UnstructuredObject);
  };
  const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
  const apply = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });

  let count = 0;
  const configMap = (more: object = {}) =>
    client.create(configMaps, {
      metadata: { name: `subject-${++count}`, namespace: 'mutated' },
      ...more,
    } as unknown as UnstructuredObject);

  it('When it gives a JSON patch, it should apply it', async () => {
    await policy('patch', 'configmaps', [
      patch(`has(object.data) ? [
        JSONPatch{op: "test", path: "/data/a", value: "b"},
        JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("x/y").replace("~1", "-"), value: request.operation}
      ] : []`),
    ]);
    expect(await configMap({ data: { a: 'b' } })).toMatchObject({ data: { a: 'b', 'x-y': 'CREATE' } });
    expect(await configMap()).not.toHaveProperty('data');
    await expect(configMap({ data: { a: 'c' } })).rejects.toThrow(
      "policy 'patch' with binding 'patch' denied request: ",
    );
  });

  it('When it gives an apply configuration, it should merge it by key', async () => {
    await policy(
      'sidecar',
      'pods',
      [
        apply(`Object{
        metadata: Object.metadata{labels: {"injected": "yes"}},
        spec: Object.spec{initContainers: [Object.spec.initContainers.item{name: "mesh", image: "mesh/proxy:" + variables.version, restartPolicy: "Always"}]}
      }`),
      ],
      { variables: [{ name: 'version', expression: "'v1'" }] },
    );
    const pod = await client.create(pods, {
      metadata: { name: 'web', namespace: 'mutated', labels: { own: 'x' } },
      spec: { initContainers: [{ name: 'first', image: 'x' }], containers: [{ name: 'main', image: 'x' }] },
    } as unknown as UnstructuredObject);
    expect(pod).toMatchObject({
      metadata: { labels: { own: 'x', injected: 'yes' } },
      spec: {
        initContainers: expect.arrayContaining([
          expect.objectContaining({
            name: 'mesh',
            image: 'mesh/proxy:v1',
            restartPolicy: 'Always',
            imagePullPolicy: 'IfNotPresent',
          }),
          expect.objectContaining({ name: 'first' }),
        ]),
        containers: [expect.objectContaining({ name: 'main' })],
      },
    });
  });

  it('When a configuration would replace an atomic list, it should be refused', async () => {
    await policy('atomic', 'pods', [
      apply('Object{spec: Object.spec{containers: [Object.spec.containers.item{name: "main", command: ["sh"]}]}}'),
    ]);
    await expect(
      client.create(pods, {
        metadata: { name: 'atomic', namespace: 'mutated' },
        spec: { containers: [{ name: 'main', image: 'x' }] },
      } as unknown as UnstructuredObject),
    ).rejects.toThrow('may not mutate atomic arrays, maps or structs: .spec.containers.command');
  });

  it('When a later policy changes the object, it should run an earlier one again that asks for it', async () => {
    const number = patch('[JSONPatch{op: "add", path: "/data/seen", value: string(size(object.data))}]');
    await policy('a-count', 'configmaps', [number], { reinvocationPolicy: 'IfNeeded' });
    await policy('b-add', 'configmaps', [patch('[JSONPatch{op: "add", path: "/data/more", value: "x"}]')]);
    expect(await configMap({ data: { a: 'b' } })).toMatchObject({ data: { a: 'b', more: 'x', seen: '3' } });
  });

  it('When an expression does not compile, it should refuse the policy', async () => {
    await expect(
      policy('bad', 'configmaps', [patch('[JSONPatch{operation: "add"}]'), apply("'text'")]),
    ).rejects.toThrow(
      'spec.mutations[1].applyConfiguration.expression: Invalid value: "\'text\'": must evaluate to Object',
    );
  });
});
