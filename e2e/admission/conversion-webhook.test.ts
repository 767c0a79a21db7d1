import type { ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { admissionTypes, waitUntilServed } from './fixtures.ts';
import { type Review, startWebhookServer, type WebhookServer } from './webhook-server.ts';

const v1: ResourceType = { group: 'example.com', version: 'v1', kind: 'Gadget', resource: 'gadgets', namespaced: true };
const v2: ResourceType = { ...v1, version: 'v2' };

/** v1 says `size: "3 cm"`, v2 says `centimetres: 3`. */
function convert(object: Review, desired: string): Review {
  const { spec, ...rest } = object;
  const centimetres = spec.centimetres ?? Number.parseInt(spec.size, 10);
  return {
    ...rest,
    apiVersion: desired,
    spec: desired.endsWith('/v1') ? { size: `${centimetres} cm` } : { centimetres },
  };
}

describe('A definition with a conversion webhook', () => {
  let server: TestCluster;
  let hooks: WebhookServer;
  let spoil: ((object: Review) => Review) | undefined;
  let failure: string | undefined;
  const batches: number[] = [];

  beforeAll(async () => {
    server = await startTestCluster();
    hooks = await startWebhookServer({
      '/convert': ({ objects, desiredAPIVersion }) => {
        batches.push(objects.length);
        if (failure) return { response: { result: { status: 'Failure', message: failure }, convertedObjects: [] } };
        const convertedObjects = (objects as Review[])
          .map((object) => convert(object, desiredAPIVersion))
          .map((object) => spoil?.(object) ?? object);
        return { response: { result: { status: 'Success' }, convertedObjects } };
      },
    });
    const version = (name: string, storage: boolean, properties: object) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
    });
    await server.client.create(admissionTypes.definitions, {
      metadata: { name: 'gadgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'gadgets', kind: 'Gadget', singular: 'gadget', listKind: 'GadgetList' },
        scope: 'Namespaced',
        versions: [
          version('v1', false, { size: { type: 'string' } }),
          version('v2', true, { centimetres: { type: 'integer' } }),
        ],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: `${hooks.url}/convert`, caBundle: hooks.caBundle },
          },
        },
      },
    } as unknown as UnstructuredObject);
    await waitUntilServed(server.client, '/apis/example.com/v1/gadgets');
    await waitUntilServed(server.client, '/apis/example.com/v2/gadgets');
  });

  afterAll(async () => {
    await hooks.stop();
    await server.stop();
  });

  const create = (name: string, spec: object, type = v1) =>
    server.client.create(type, { metadata: { name, namespace: 'default' }, spec } as unknown as UnstructuredObject);

  it('When an object is written in one version, it should be readable in both', async () => {
    const written = await create('one', { size: '3 cm' });
    expect(written).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: '3 cm' } });
    const key = { name: 'one', namespace: 'default' };
    expect(await server.client.get(v2, key)).toMatchObject({ apiVersion: 'example.com/v2', spec: { centimetres: 3 } });
    expect(await server.client.get(v1, key)).toMatchObject({ spec: { size: '3 cm' } });
  });

  it('When many objects are listed, it should convert them in one batch', async () => {
    for (let index = 0; index < 5; index++) await create(`many-${index}`, { centimetres: index }, v2);
    batches.length = 0;
    const { items } = await server.client.list(v1, { namespace: 'default' });
    expect(items.filter(({ metadata }) => metadata.name?.startsWith('many-'))).toHaveLength(5);
    expect(batches.length).toBeLessThanOrEqual(1);
  });

  it('When a policy is about one version, it should see requests of the other converted to it', async () => {
    await server.client.create(admissionTypes.policies, {
      metadata: { name: 'small' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['example.com'], apiVersions: ['v2'], operations: ['CREATE'], resources: ['gadgets'] },
          ],
        },
        validations: [
          { expression: 'object.spec.centimetres < 10', message: 'too large' },
          { expression: "request.kind.version == 'v2' && request.requestKind.version in ['v1', 'v2']" },
        ],
      },
    } as unknown as UnstructuredObject);
    await server.client.create(admissionTypes.bindings, {
      metadata: { name: 'small' },
      spec: { policyName: 'small', validationActions: ['Deny'] },
    } as unknown as UnstructuredObject);
    await expect(create('large', { size: '30 cm' })).rejects.toThrow('too large');
    await expect(create('tiny', { size: '3 cm' })).resolves.toBeDefined();
    await expect(create('tiny-too', { centimetres: 3 }, v2)).resolves.toBeDefined();
    await server.client.deleteCollection(admissionTypes.bindings, {});
  });

  it('When the webhook changes who an object is, it should be refused', async () => {
    spoil = (object) => ({ ...object, metadata: { ...object['metadata'], name: 'somebody-else' } });
    try {
      await expect(create('renamed', { size: '1 cm' })).rejects.toThrow(
        'conversion webhook for example.com/v1, Kind=Gadget returned invalid converted object at index 0: must have the same name: renamed != somebody-else',
      );
    } finally {
      spoil = undefined;
    }
  });

  it('When the webhook cannot convert, it should pass on why', async () => {
    failure = 'cannot read the size';
    try {
      await expect(create('unreadable', { size: 'large' })).rejects.toThrow(
        'conversion webhook for example.com/v1, Kind=Gadget failed: cannot read the size',
      );
    } finally {
      failure = undefined;
    }
  });
});
