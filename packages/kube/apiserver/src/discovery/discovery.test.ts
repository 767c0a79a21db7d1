import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinNotServed } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { builtinServedResources } from './builtin.ts';
import { Discovery } from './discovery.ts';
import type { ServedResource } from './served-resource.ts';

const kubectl133 =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';
const kubectl127 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

interface Aggregated {
  readonly apiVersion: string;
  readonly items: {
    readonly metadata: { readonly name?: string };
    readonly versions: { readonly version: string; readonly resources: { readonly resource: string }[] }[];
  }[];
}

const widgets: ServedResource = {
  group: 'example.com',
  version: 'v1beta1',
  resource: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  namespaced: true,
  shortNames: ['wd'],
  categories: ['all'],
  verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
  subresources: [
    { name: 'status', group: 'example.com', version: 'v1beta1', kind: 'Widget', verbs: ['get', 'patch', 'update'] },
    { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] },
  ],
  custom: true,
};

const parse = (body: string | undefined) => JSON.parse(body ?? 'null') as Record<string, unknown>;

describe('parity with Kubernetes', () => {
  const vector = join(import.meta.dirname, '../../../../../../shared/vectors/kubernetes/discovery-aggregated-v2.json');
  const present = existsSync(vector);
  if (!present) process.stderr.write(`skipping the parity of discovery: ${vector} does not exist\n`);

  it.skipIf(!present)('When built-in kinds are served, it should answer as kube-apiserver does', () => {
    const upstream = JSON.parse(readFileSync(vector, 'utf8')) as Aggregated;
    const ours = JSON.parse(new Discovery(builtinServedResources()).apis(kubectl133).body) as Aggregated;
    const served = {
      ...upstream,
      metadata: {},
      items: upstream.items
        .map((group) => ({
          ...group,
          versions: group.versions.filter(({ version }) => !(`${group.metadata.name}/${version}` in builtinNotServed)),
        }))
        .filter(({ versions }) => versions.length > 0),
    };
    const withoutExtra = {
      ...ours,
      items: ours.items.map((group) => ({
        ...group,
        // Only old clients (kubectl 1.27) still ask for it.
        versions: group.versions.filter(
          ({ version }) => !(group.metadata.name === 'authentication.k8s.io' && version === 'v1beta1'),
        ),
      })),
    };
    expect(withoutExtra).toEqual(served);
  });
});

describe('Discovery', () => {
  const discovery = new Discovery([...builtinServedResources(), widgets, { ...widgets, version: 'v1' }], {
    serverAddress: '127.0.0.1:6443',
  });

  it.each([
    ['kubectl 1.30 and newer', kubectl133, 'v2'],
    ['kubectl 1.27 to 1.29', kubectl127, 'v2beta1'],
  ])('When %s asks, it should answer in its version and repeat the parameters', (_, accept, version) => {
    const document = discovery.apis(accept);
    expect(document.contentType).toBe(`application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`);
    expect(parse(document.body).apiVersion).toBe(`apidiscovery.k8s.io/${version}`);
    expect(document.etag).toMatch(/^"[0-9A-F]{128}"$/);
  });

  it.each([undefined, 'application/json', '*/*', 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json'])(
    'When the Accept header is %s, it should answer with the old lists',
    (accept) => {
      expect(parse(discovery.apis(accept).body)).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
      expect(parse(discovery.api(accept).body)).toEqual({
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
      });
    },
  );

  it('When quality values are given, it should follow them', () => {
    const accept = `${kubectl127};q=0.5`;
    expect(parse(discovery.apis(accept.replace(',', ';q=0.1,')).body).kind).toBe('APIGroupList');
  });

  it('When a custom group has several versions, it should come after the built-in ones, the best version first', () => {
    const groups = parse(discovery.apis(undefined).body).groups as object[];
    expect(groups.at(-1)).toEqual({
      name: 'example.com',
      versions: [
        { groupVersion: 'example.com/v1', version: 'v1' },
        { groupVersion: 'example.com/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
    });
    expect(groups[0]).toMatchObject({ name: 'apiregistration.k8s.io' });
    expect(parse(discovery.group('autoscaling')?.body)).toMatchObject({
      kind: 'APIGroup',
      preferredVersion: { version: 'v2' },
    });
  });

  it('When a group-version is listed the old way, it should show subresources as entries', () => {
    const list = parse(discovery.groupVersion('example.com', 'v1beta1')?.body);
    expect(list).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'example.com/v1beta1' });
    expect(list.resources).toEqual([
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: widgets.verbs,
        shortNames: ['wd'],
        categories: ['all'],
      },
      { name: 'widgets/status', singularName: '', namespaced: true, kind: 'Widget', verbs: ['get', 'patch', 'update'] },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  it('When the core group is asked for, it should have pods with their subresources', () => {
    const list = parse(discovery.groupVersion('', 'v1')?.body);
    expect(list.resources).toContainEqual(
      expect.objectContaining({
        name: 'pods/eviction',
        group: 'policy',
        version: 'v1',
        kind: 'Eviction',
        verbs: ['create'],
      }),
    );
    const { items } = JSON.parse(discovery.api(kubectl133).body) as Aggregated;
    expect(items).toHaveLength(1);
    expect(items[0]?.metadata).toEqual({});
    expect(items[0]?.versions[0]?.resources.map(({ resource }) => resource)).toContain('configmaps');
  });

  it('When a group or version is not served, it should know nothing of it', () => {
    expect(discovery.group('nothing.example.com')).toBeUndefined();
    expect(discovery.group('')).toBeUndefined();
    expect(discovery.groupVersion('apps', 'v1beta1')).toBeUndefined();
  });

  it('When two servers serve the same, they should share the document', () => {
    const other = new Discovery(builtinServedResources());
    expect(new Discovery(builtinServedResources()).apis(kubectl133)).toBe(other.apis(kubectl133));
  });
});
