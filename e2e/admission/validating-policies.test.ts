import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { admissionTypes, createNamespaces } from './fixtures.ts';

const { bindings, configMaps, policies } = admissionTypes;

const deployments = { group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments', namespaced: true };

const matchConstraints = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps'] },
  ],
};

/** Validating admission policies as a user meets them. */
describe('A ValidatingAdmissionPolicy', () => {
  let server: TestCluster;
  let client: Client;

  beforeAll(async () => {
    server = await startTestCluster();
    client = server.client;
    await createNamespaces(client, ['labelled'], { env: 'test' });
  });

  afterAll(() => server.stop());

  afterEach(async () => {
    await client.deleteCollection(bindings, {});
    await client.deleteCollection(policies, {});
  });

  const policy = (spec: object, name = 'demo') =>
    client.create(policies, {
      metadata: { name },
      spec: { matchConstraints, ...spec },
    } as unknown as UnstructuredObject);
  const bind = (spec: object = {}, name = 'demo-binding') =>
    client.create(bindings, {
      metadata: { name },
      spec: { policyName: 'demo', validationActions: ['Deny'], ...spec },
    } as unknown as UnstructuredObject);

  let count = 0;
  const configMap = (more: object = {}, namespace = 'default') => ({
    metadata: { name: `subject-${++count}`, namespace },
    ...more,
  });
  const create = (more: object = {}, namespace = 'default') =>
    client.create(configMaps, configMap(more, namespace) as unknown as UnstructuredObject);

  it.each([
    [{ expression: 'has(object.data)', message: 'data is needed' }, 422, 'Invalid', 'data is needed'],
    [{ expression: 'has(object.data)', reason: 'Forbidden' }, 403, 'Forbidden', 'failed expression: has(object.data)'],
    [{ expression: 'has(object.data)', reason: 'Unauthorized' }, 401, 'Unauthorized', 'failed expression'],
    [
      { expression: 'has(object.data)', messageExpression: "'no data in ' + object.metadata.name" },
      422,
      'Invalid',
      'no data in subject-',
    ],
    [
      { expression: 'object.data.x == "y"' },
      422,
      'Invalid',
      `expression 'object.data.x == "y"' resulted in error: no such key: data`,
    ],
  ])('When %j fails, it should answer %i %s', async (validation, code, reason, message) => {
    await policy({ validations: [validation] });
    await bind();
    await expect(create()).rejects.toMatchObject({
      code,
      reason,
      message: expect.stringMatching(
        /^configmaps "subject-\d+" is forbidden: ValidatingAdmissionPolicy 'demo' with binding 'demo-binding' denied request: /,
      ),
    });
    await expect(create()).rejects.toThrow(message);
  });

  it('When errors are ignored, it should let an expression that fails to evaluate pass', async () => {
    await policy({ failurePolicy: 'Ignore', validations: [{ expression: 'object.data.x == "y"' }] });
    await bind();
    await expect(create()).resolves.toBeDefined();
    await expect(create({ data: { x: 'z' } })).rejects.toThrow('failed expression');
  });

  it('When an expression does not compile, it should refuse the policy in Kubernetes words', async () => {
    await expect(
      policy({ validations: [{ expression: 'object.a ==' }, { expression: "'text'" }] }),
    ).rejects.toMatchObject({
      code: 422,
      message: expect.stringMatching(
        /ValidatingAdmissionPolicy.admissionregistration.k8s.io "demo" is invalid: \[spec.validations\[0\].expression: Invalid value: "object.a ==": compilation failed: ERROR: <input>:1:12: Syntax error:.*spec.validations\[1\].expression: Invalid value: "'text'": must evaluate to bool\]/s,
      ),
    });
  });

  it('When an expression cannot work for a kind it is about, it should say so in the status', async () => {
    const constraints = (resource: string) => ({
      resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: [resource] }],
    });
    const statusOf = async (expression: string) => {
      await policy({ matchConstraints: constraints('deployments'), validations: [{ expression }] });
      return vi.waitFor(async () => {
        const { status } = (await client.get(policies, { name: 'demo' })) as UnstructuredObject;
        expect(status).toMatchObject({ observedGeneration: 1 });
        return status;
      });
    };
    expect(await statusOf('object.spec.replicas > 1 && object.metadata.labels.all(k, true)')).toEqual({
      observedGeneration: 1,
      typeChecking: {},
    });
    await client.deleteCollection(policies, {});
    expect(await statusOf('object.spec.replica > 1')).toMatchObject({
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[0].expression',
            warning: expect.stringMatching(
              /^apps\/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replica'/,
            ),
          },
        ],
      },
    });
  });

  it('When params are missing, it should do as the binding says', async () => {
    await policy({
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [{ name: 'not-the-param', expression: "object.metadata.name != 'limits'" }],
      validations: [{ expression: 'params == null || int(params.data.max) >= size(object.data)', message: 'too much' }],
    });
    await bind({ paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } });
    await expect(create({ data: { a: '' } })).rejects.toThrow(
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    );
    await client.deleteCollection(bindings, {});
    await client.create(configMaps, {
      metadata: { name: 'limits', namespace: 'default' },
      data: { max: '1' },
    } as unknown as UnstructuredObject);
    await bind({ paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } });
    await expect(create({ data: { a: '' } })).resolves.toBeDefined();
    await expect(create({ data: { a: '', b: '' } })).rejects.toThrow('too much');
  });

  it('When a namespace selector leaves a namespace out, it should not apply there', async () => {
    await policy({
      validations: [{ expression: "namespaceObject.metadata.labels['env'] != 'test'", message: 'not in tests' }],
    });
    await bind({ matchResources: { namespaceSelector: { matchLabels: { env: 'test' } } } });
    await expect(create()).resolves.toBeDefined();
    await expect(create({}, 'labelled')).rejects.toThrow('not in tests');
  });

  it('When a variable fails or is null, it should count only where it is used', async () => {
    await policy({
      variables: [
        { name: 'broken', expression: 'object.data.nothing.here' },
        { name: 'empty', expression: 'object.?data.orValue(null)' },
      ],
      validations: [
        { expression: "variables.empty == null || variables.broken == 'x' || true" },
        { expression: 'variables.broken == 1' },
      ],
    });
    await bind();
    await expect(create({ data: { a: 'b' } })).rejects.toThrow(
      'composited variable "broken" fails to evaluate: no such key: nothing',
    );
  });

  it('When the action is Warn, it should let the request through with a warning', async () => {
    const warnings: string[] = [];
    client.onWarning = (text) => warnings.push(text);
    await policy({ validations: [{ expression: 'false', message: 'mind the gap' }] });
    await bind({ validationActions: ['Warn', 'Audit'] });
    await create();
    expect(warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'demo' with binding 'demo-binding': mind the gap",
    ]);
  });

  it('When an object is deleted, it should see only the old one', async () => {
    const stored = await create({ data: { keep: 'yes' } });
    await policy({
      validations: [
        {
          expression: "request.operation != 'DELETE' || object == null && oldObject.data.keep != 'yes'",
          message: 'kept',
        },
      ],
    });
    await bind();
    await expect(client.delete(configMaps, { name: stored.metadata.name!, namespace: 'default' })).rejects.toThrow(
      'kept',
    );
  });

  it('When the authorizer is asked, it should answer for the requester', async () => {
    await policy({
      validations: [
        {
          expression:
            "authorizer.group('').resource('secrets').namespace('default').check('get').allowed() && !authorizer.serviceAccount('default', 'default').group('').resource('secrets').namespace('default').check('get').allowed()",
        },
        { expression: "authorizer.requestResource.check('create').allowed()" },
      ],
    });
    await bind();
    await expect(create()).resolves.toBeDefined();
  });

  it('When an expression costs too much, it should stop', async () => {
    const data = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key-${index}`, '']));
    await policy({
      validations: [{ expression: 'object.data.all(a, object.data.all(b, object.data.all(c, a != "x" || b != "x")))' }],
    });
    await bind();
    const started = Date.now();
    await expect(create({ data })).rejects.toThrow('cost');
    expect(Date.now() - started).toBeLessThan(5000);
  });

  it('When a status or scale is written, it should apply only to rules that name it', async () => {
    await policy({
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['*'], operations: ['*'], resources: ['deployments/scale'] },
        ],
      },
      validations: [{ expression: "object.kind == 'Scale' && object.spec.replicas < 3", message: 'three is a crowd' }],
    });
    await bind();
    const selector = { matchLabels: { app: 'a' } };
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    await client.create(deployments, {
      metadata: { name: 'scaled', namespace: 'default' },
      spec: { replicas: 5, selector, template },
    } as unknown as UnstructuredObject);
    const scale = (replicas: number) =>
      client.patch(
        deployments,
        { name: 'scaled', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas } } },
        { subresource: 'scale' },
      );
    await expect(scale(4)).rejects.toThrow('three is a crowd');
    await expect(scale(2)).resolves.toBeDefined();
  });
});
