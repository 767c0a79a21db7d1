import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { admissionTypes } from './fixtures.ts';
import { patchAnswer, startWebhookServer, type WebhookServer } from './webhook-server.ts';

const { configMaps, mutatingWebhooks, validatingWebhooks } = admissionTypes;

const allConfigMaps = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: ['configmaps'],
};

describe('Admission webhooks', () => {
  let server: TestCluster;
  let hooks: WebhookServer;
  const seen: unknown[] = [];

  beforeAll(async () => {
    server = await startTestCluster();
    hooks = await startWebhookServer({
      '/allow': (request) => {
        seen.push(request);
        return { response: { allowed: true, warnings: ['careful now'], auditAnnotations: { seen: 'yes' } } };
      },
      '/deny': () => ({
        response: { allowed: false, status: { message: 'no config maps today', code: 403, reason: 'Forbidden' } },
      }),
      '/deny-silently': () => ({ response: { allowed: false } }),
      '/first': ({ object }) =>
        patchAnswer([
          { op: 'add', path: '/data', value: { ...object.data, first: `${Object.keys(object.data ?? {}).length}` } },
        ]),
      '/second': ({ object }) =>
        object.data?.second ? patchAnswer([]) : patchAnswer([{ op: 'add', path: '/data/second', value: 'added' }]),
      '/bad-patch': () => patchAnswer([{ op: 'remove', path: '/spec/nothing' }]),
      '/wrong-uid': () => ({ response: { uid: 'other', allowed: true } }),
      '/broken': () => ({ status: 500, body: 'out of order' }),
      '/hang': () => ({ hang: true }),
    });
  });

  afterAll(async () => {
    await hooks.stop();
    await server.stop();
  });

  afterEach(async () => {
    await server.client.deleteCollection(validatingWebhooks, {});
    await server.client.deleteCollection(mutatingWebhooks, {});
    hooks.calls.length = 0;
    seen.length = 0;
  });

  const hook = (name: string, path: string, more: object = {}) => ({
    name: `${name}.example.com`,
    clientConfig: { url: hooks.url + path, caBundle: hooks.caBundle },
    rules: [allConfigMaps],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  });

  const configure = (type: typeof validatingWebhooks, name: string, ...webhooks: object[]) =>
    server.client.create(type, { metadata: { name }, webhooks } as unknown as UnstructuredObject);

  let count = 0;
  const submit = async (more: object = {}, options: object = {}) => {
    const warnings: string[] = [];
    server.client.onWarning = (text) => warnings.push(text);
    const object = { metadata: { name: `subject-${++count}`, namespace: 'default' }, ...more };
    const stored = await server.client.create(configMaps, object as unknown as UnstructuredObject, options);
    return { stored, warnings };
  };

  it('When a validating webhook allows, it should pass on its warnings and have told it everything', async () => {
    await configure(validatingWebhooks, 'allow', hook('allow', '/allow'));
    const { stored, warnings } = await submit({ data: { a: 'b' } });
    expect(warnings).toEqual(['careful now']);
    expect(seen).toMatchObject([
      {
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        name: stored.metadata.name,
        namespace: 'default',
        operation: 'CREATE',
        userInfo: { username: 'kubernetes-admin', groups: expect.arrayContaining(['system:masters']) },
        object: { kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'b' } },
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      },
    ]);
  });

  it.each([
    ['/deny', 403, 'admission webhook "it.example.com" denied the request: no config maps today'],
    ['/deny-silently', 400, 'admission webhook "it.example.com" denied the request without explanation'],
    [
      '/broken',
      500,
      'Internal error occurred: failed calling webhook "it.example.com": failed to call webhook: an error on the server ("out of order") has prevented the request from succeeding',
    ],
    ['/wrong-uid', 500, 'expected response.uid='],
    ['/nothing-here', 500, 'failed to call webhook: the server could not find the requested resource'],
  ])('When a validating webhook answers from %s, it should be %i', async (path, code, message) => {
    await configure(validatingWebhooks, 'it', hook('it', path));
    await expect(submit()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('When a webhook does not answer in time, it should fail, or pass when failures are ignored', async () => {
    await configure(validatingWebhooks, 'slow', hook('slow', '/hang', { timeoutSeconds: 1 }));
    await expect(submit()).rejects.toThrow(
      `failed calling webhook "slow.example.com": failed to call webhook: Post "${hooks.url}/hang?timeout=1s": context deadline exceeded`,
    );
    await server.client.deleteCollection(validatingWebhooks, {});
    await configure(validatingWebhooks, 'slow', hook('slow', '/hang', { timeoutSeconds: 1, failurePolicy: 'Ignore' }));
    await expect(submit()).resolves.toBeDefined();
  });

  it('When nobody trusts the webhook, it should say so', async () => {
    const { caBundle: _, ...clientConfig } = hook('it', '/allow').clientConfig;
    await configure(validatingWebhooks, 'it', hook('it', '/allow', { clientConfig }));
    await expect(submit()).rejects.toThrow('x509: certificate signed by unknown authority');
  });

  it('When mutating webhooks follow each other, it should call the first again only if it asks for it', async () => {
    await configure(mutatingWebhooks, 'a', hook('first', '/first', { reinvocationPolicy: 'IfNeeded' }));
    await configure(mutatingWebhooks, 'b', hook('second', '/second'));
    const { stored } = await submit({ data: { own: 'x' } });
    expect(hooks.calls).toEqual(['/first', '/second', '/first']);
    expect(stored).toMatchObject({ data: { own: 'x', second: 'added', first: '3' } });
    await server.client.deleteCollection(mutatingWebhooks, {});
    hooks.calls.length = 0;
    await configure(mutatingWebhooks, 'a', hook('first', '/first'));
    await configure(mutatingWebhooks, 'b', hook('second', '/second'));
    expect((await submit({ data: { own: 'x' } })).stored).toMatchObject({ data: { first: '1' } });
    expect(hooks.calls).toEqual(['/first', '/second']);
  });

  it('When a webhook patches an update, it should keep who owns which field', async () => {
    const { stored } = await submit({ data: { own: 'x' } });
    await configure(mutatingWebhooks, 'b', hook('second', '/second'));
    const key = { name: stored.metadata.name!, namespace: 'default' };
    const updated = await server.client.patch(configMaps, key, { type: 'merge', body: { data: { own: 'y' } } });
    expect(updated).toMatchObject({ data: { own: 'y', second: 'added' } });
    expect(updated.metadata.managedFields?.length).toBeGreaterThan(0);
  });

  it('When a patch does not apply, it should fail the request', async () => {
    await configure(mutatingWebhooks, 'bad', hook('bad', '/bad-patch'));
    await expect(submit()).rejects.toMatchObject({ code: 500 });
  });

  it('When a match condition is false, it should not call', async () => {
    const matchConditions = [{ name: 'only-marked', expression: "has(object.data) && 'marked' in object.data" }];
    await configure(validatingWebhooks, 'deny', hook('deny', '/deny', { matchConditions }));
    await expect(submit()).resolves.toBeDefined();
    await expect(submit({ data: { marked: '' } })).rejects.toThrow('no config maps today');
  });

  it('When a match condition does not compile, it should refuse the webhook', async () => {
    const matchConditions = [{ name: 'bad', expression: 'object.' }];
    await expect(configure(validatingWebhooks, 'bad', hook('bad', '/deny', { matchConditions }))).rejects.toThrow(
      'webhooks[0].matchConditions[0].expression: Invalid value: "object.": compilation failed: ERROR:',
    );
  });

  it('When a request is a dry run, it should call webhooks without side effects and tell them', async () => {
    await configure(validatingWebhooks, 'allow', hook('allow', '/allow', { sideEffects: 'NoneOnDryRun' }));
    await submit({}, { dryRun: true });
    expect(seen).toMatchObject([{ dryRun: true }]);
  });

  it('When a rule names another resource, it should not call', async () => {
    await configure(
      validatingWebhooks,
      'deny',
      hook('deny', '/deny', { rules: [{ ...allConfigMaps, resources: ['secrets', 'configmaps/status'] }] }),
    );
    await expect(submit()).resolves.toBeDefined();
  });

  it('When an object is deleted, it should send the old one only', async () => {
    const { stored } = await submit({ data: { a: 'b' } });
    await configure(validatingWebhooks, 'allow', hook('allow', '/allow'));
    await server.client.delete(configMaps, { name: stored.metadata.name!, namespace: 'default' });
    expect(seen).toMatchObject([
      { operation: 'DELETE', object: null, oldObject: { data: { a: 'b' } }, options: { kind: 'DeleteOptions' } },
    ]);
  });

  it('When the webhook is a service, it should reach a ready endpoint under the name of the service', async () => {
    const service = { group: '', version: 'v1', kind: 'Service', resource: 'services', namespaced: true };
    const slices = {
      group: 'discovery.k8s.io',
      version: 'v1',
      kind: 'EndpointSlice',
      resource: 'endpointslices',
      namespaced: true,
    };
    await configure(
      validatingWebhooks,
      'deny',
      hook('deny', '/deny', {
        clientConfig: { service: { name: 'hooks', namespace: 'default', path: '/deny' }, caBundle: hooks.caBundle },
      }),
    );
    await expect(submit()).rejects.toThrow(
      'Post "https://hooks.default.svc:443/deny?timeout=10s": service "hooks" not found',
    );
    await server.client.create(service, {
      metadata: { name: 'hooks', namespace: 'default' },
      spec: { ports: [{ name: 'https', port: 443, targetPort: hooks.port }] },
    } as unknown as UnstructuredObject);
    await expect(submit()).rejects.toThrow('no endpoints available for service "hooks"');
    await server.client.create(slices, {
      metadata: { name: 'hooks-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'hooks' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready: true } }],
      ports: [{ name: 'https', port: hooks.port, protocol: 'TCP' }],
    } as unknown as UnstructuredObject);
    await expect(submit()).rejects.toThrow('no config maps today');
  });

  it('When many requests are made, it should keep its connections', async () => {
    await configure(validatingWebhooks, 'allow', hook('allow', '/allow'));
    await submit();
    const before = hooks.connections;
    for (let index = 0; index < 10; index++) await submit();
    expect(hooks.connections - before).toBeLessThanOrEqual(1);
  });
});
