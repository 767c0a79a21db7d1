import type { Schema, SchemaDefinition } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { builtinServedResources } from '../discovery/index.ts';
import { OpenApiV3 } from './openapi.ts';
import type { OpenApiResource } from './openapi-resource.ts';
import { openApiV2 } from './v2.ts';

interface Parsed {
  readonly paths: Record<string, Record<string, Record<string, unknown>> | undefined>;
  readonly components: { readonly schemas: Record<string, SchemaDefinition | undefined> };
}

const builtin: readonly OpenApiResource[] = builtinServedResources().map((resource) => ({
  ...resource,
  listKind: `${resource.kind}List`,
}));

function aWidget(schema: Schema, version = 'v1'): OpenApiResource {
  return {
    group: 'example.com',
    version,
    resource: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    listKind: 'WidgetList',
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: [
      { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] },
      { name: 'status', group: 'example.com', version, kind: 'Widget', verbs: ['get', 'patch', 'update'] },
    ],
    custom: true,
    logic: { schema },
  };
}

const sized: Schema = {
  type: 'object',
  description: 'A widget.',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', description: 'How large.' } } } },
};

function parse(openApi: OpenApiV3, group: string, version: string): Parsed {
  return JSON.parse(openApi.groupVersion(group, version)?.document.body ?? 'null') as Parsed;
}

function brokenReferences(document: Parsed): string[] {
  const names = new Set(Object.keys(document.components.schemas));
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g);
  return [...new Set([...references].map(([, name = '']) => name))].filter((name) => !names.has(name));
}

describe('OpenApiV3', () => {
  const openApi = new OpenApiV3([...builtin, aWidget(sized)]);

  it('When the index is asked for, it should name every group-version with its hash', () => {
    const { paths } = JSON.parse(openApi.index().body) as { paths: Record<string, { serverRelativeURL: string }> };
    expect(Object.keys(paths)).toContain('api/v1');
    expect(paths['apis/apps/v1']?.serverRelativeURL).toBe(openApi.groupVersion('apps', 'v1')?.url);
    expect(paths['apis/example.com/v1']?.serverRelativeURL).toMatch(
      /^\/openapi\/v3\/apis\/example\.com\/v1\?hash=[0-9A-F]{128}$/,
    );
  });

  it.each(builtin.map(({ group, version }) => [group, version] as const).filter(isFirst))(
    'When the document of %s/%s is made, it should hold everything that it refers to',
    (group, version) => {
      const document = parse(openApi, group, version);
      expect(brokenReferences(document)).toEqual([]);
      expect(Object.keys(document.paths).length).toBeGreaterThan(0);
    },
  );

  it('When a write operation is described, it should say its kind, action and fieldValidation', () => {
    const { paths } = parse(openApi, 'apps', 'v1');
    const patch = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']?.patch;
    expect(patch).toMatchObject({
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: 'fieldValidation', in: 'query' }),
      ]) as unknown,
    });
    expect(paths['/apis/apps/v1/deployments']).toHaveProperty('get');
    expect(paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale']?.get).toMatchObject({
      'x-kubernetes-group-version-kind': { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    });
  });

  it('When a resource can only be created, it should have no other operation', () => {
    const { paths } = parse(openApi, 'authorization.k8s.io', 'v1');
    expect(Object.keys(paths['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'] ?? {})).toEqual(['post']);
  });

  it('When a built-in kind is explained, it should have descriptions, values and merge keys', () => {
    const { schemas } = parse(openApi, '', 'v1').components;
    const podSpec = schemas['io.k8s.api.core.v1.PodSpec'];
    expect(schemas['io.k8s.api.core.v1.Pod']?.description).toMatch(/Containers that run together/);
    expect(podSpec?.properties?.restartPolicy).toMatchObject({
      enum: ['Always', 'Never', 'OnFailure'],
      description: expect.any(String) as string,
    });
    expect(podSpec?.properties?.containers).toMatchObject({ 'x-kubernetes-patch-merge-key': 'name', type: 'array' });
    expect(podSpec?.properties?.affinity).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Affinity' }],
    });
    expect(schemas['io.k8s.api.core.v1.ObjectReference']?.properties?.kind?.description).toBeUndefined();
  });

  it('When a custom resource is served, it should be published with metadata and a list', () => {
    const document = parse(openApi, 'example.com', 'v1');
    const { schemas } = document.components;
    expect(brokenReferences(document)).toEqual([]);
    expect(schemas['com.example.v1.Widget']).toMatchObject({
      description: 'A widget.',
      properties: {
        spec: { properties: { size: { description: 'How large.' } } },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
      },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
    });
    expect(schemas['com.example.v1.WidgetList']?.properties?.items?.items).toEqual({
      $ref: '#/components/schemas/com.example.v1.Widget',
    });
  });

  it('When a schema changes, its hash should change and no other', () => {
    const before = new OpenApiV3([...builtin, aWidget(sized), aWidget(sized, 'v2')]);
    const after = new OpenApiV3([...builtin, aWidget({ ...sized, description: 'Another.' }), aWidget(sized, 'v2')]);
    const hash = (openApiV3: OpenApiV3, version: string) => openApiV3.groupVersion('example.com', version)?.hash;
    expect(hash(after, 'v1')).not.toBe(hash(before, 'v1'));
    expect(hash(after, 'v2')).toBe(hash(before, 'v2'));
    expect(after.groupVersion('apps', 'v1')?.hash).toBe(before.groupVersion('apps', 'v1')?.hash);
  });

  it('When two servers serve the built-in kinds, they should share the documents', () => {
    const other = new OpenApiV3(builtin);
    expect(other.groupVersion('apps', 'v1')?.document).toBe(openApi.groupVersion('apps', 'v1')?.document);
  });

  it('When a group-version is not served, it should have no document', () => {
    expect(openApi.groupVersion('apps', 'v1beta1')).toBeUndefined();
  });
});

describe('openApiV2', () => {
  it('When kubectl 1.27 asks for protobuf, it should get the smallest document it accepts', () => {
    const answer = openApiV2('application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
    expect(answer.contentType).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    expect(Buffer.from(answer.body).toString('hex')).toBe('0a03322e3012070a0178120276314200');
  });

  it('When JSON is asked for, it should be an empty swagger document', () => {
    expect(JSON.parse(String(openApiV2('application/json').body))).toMatchObject({ swagger: '2.0', paths: {} });
  });
});

function isFirst(
  entry: readonly [string, string],
  index: number,
  all: readonly (readonly [string, string])[],
): boolean {
  return all.findIndex(([group, version]) => group === entry[0] && version === entry[1]) === index;
}
