import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../http/http-client.ts';
import { answerJson, bodyOf, TestServer } from '../testing/test-server.ts';
import { applyManifests, parseManifests } from './apply-manifests.ts';
import { RestMapper } from './rest-mapper.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function connect(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = await new TestServer('h2', handler).start();
  const client = new HttpClient(server.config);
  cleanups.push(
    () => server.stop(),
    () => client.close(),
  );
  return client;
}

const aggregated = (group: string, version: string, resource: string, kind: string, scope = 'Namespaced') => ({
  metadata: { name: group },
  versions: [
    {
      version,
      resources: [
        { resource, responseKind: { kind }, scope, verbs: ['get'], subresources: [{ subresource: 'status' }] },
      ],
    },
  ],
});

describe('RestMapper', () => {
  it('When the server knows aggregated discovery, it should ask twice in all', async () => {
    let calls = 0;
    const client = await connect((request, response) => {
      calls++;
      const items =
        request.url === '/api'
          ? [aggregated('', 'v1', 'namespaces', 'Namespace', 'Cluster')]
          : [aggregated('apps', 'v1', 'deployments', 'Deployment')];
      answerJson(response, 200, { kind: 'APIGroupDiscoveryList', items });
    });
    const mapper = new RestMapper(client);
    const [namespace, deployment] = await Promise.all([
      mapper.typeOf({ apiVersion: 'v1', kind: 'Namespace' }),
      mapper.typeOf({ apiVersion: 'apps/v1', kind: 'Deployment' }),
    ]);
    expect(namespace).toMatchObject({ group: '', resource: 'namespaces', namespaced: false, subresources: ['status'] });
    expect(deployment).toMatchObject({ group: 'apps', version: 'v1', resource: 'deployments', namespaced: true });
    expect(calls).toBe(2);
    await expect(mapper.typeOf({ apiVersion: 'x/v1', kind: 'Y' })).rejects.toThrow(
      'no matches for kind "Y" in version "x/v1"',
    );
  });

  it('When two clusters serve the same, what they serve should be shared', async () => {
    const serve = (_request: IncomingMessage, response: ServerResponse) =>
      answerJson(response, 200, {
        kind: 'APIGroupDiscoveryList',
        items: [aggregated('shared', 'v1', 'things', 'Thing')],
      });
    const [one, other] = await Promise.all([connect(serve), connect(serve)]);
    const thing = { apiVersion: 'shared/v1', kind: 'Thing' };
    const found = await new RestMapper(one).typeOf(thing);
    expect(await new RestMapper(other).typeOf(thing)).toBe(found);
    expect(Object.isFrozen(found)).toBe(true);
  });

  it('When the server is an old one, it should read every group version and forgive broken ones', async () => {
    const client = await connect(({ url }, response) => {
      if (url === '/api') return answerJson(response, 200, { kind: 'APIVersions', versions: ['v1'] });
      if (url === '/apis') {
        return answerJson(response, 200, {
          kind: 'APIGroupList',
          groups: [{ versions: [{ groupVersion: 'apps/v1' }, { groupVersion: 'broken/v1' }] }],
        });
      }
      if (url === '/api/v1')
        return answerJson(response, 200, {
          resources: [
            { name: 'pods', kind: 'Pod', namespaced: true },
            { name: 'pods/log', kind: 'Pod' },
          ],
        });
      if (url === '/apis/apps/v1')
        return answerJson(response, 200, {
          resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true }],
        });
      answerJson(response, 503, {});
    });
    const resources = await new RestMapper(client).resources();
    expect(resources.map(({ group, resource, subresources }) => [group, resource, subresources])).toEqual([
      ['', 'pods', ['log']],
      ['apps', 'deployments', []],
    ]);
  });
});

describe('applyManifests', () => {
  it('When CRDs, namespaces and their users are mixed, it should apply them in an order that works', async () => {
    const applied: string[] = [];
    let established = 0;
    const client = await connect(async (request, response) => {
      const url = request.url ?? '';
      if (url === '/api')
        return answerJson(response, 200, {
          kind: 'APIGroupDiscoveryList',
          items: [aggregated('', 'v1', 'namespaces', 'Namespace', 'Cluster')],
        });
      if (url === '/apis') {
        const items = established > 2 ? [aggregated('example.org', 'v1', 'webs', 'Web')] : [];
        return answerJson(response, 200, { kind: 'APIGroupDiscoveryList', items });
      }
      if (request.method === 'GET') {
        const status = ++established > 2 ? 'True' : 'False';
        return answerJson(response, 200, { metadata: {}, status: { conditions: [{ type: 'Established', status }] } });
      }
      const body = JSON.parse(await bodyOf(request));
      applied.push(`${body.kind} ${url}`);
      answerJson(response, 200, body);
    });
    await applyManifests(
      client,
      `apiVersion: v1
kind: List
items:
- {apiVersion: example.org/v1, kind: Web, metadata: {name: site}}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
# nothing here
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.org}
`,
      { fieldManager: 'install', namespace: 'shop' },
    );
    const query = '?fieldManager=install&force=true';
    expect(applied).toEqual([
      `CustomResourceDefinition /apis/apiextensions.k8s.io/v1/customresourcedefinitions/webs.example.org${query}`,
      `Namespace /api/v1/namespaces/shop${query}`,
      `Web /apis/example.org/v1/namespaces/shop/webs/site${query}`,
    ]);
  });

  it('When the text is no manifest, it should say why', () => {
    expect(() => parseManifests('a: [')).toThrow('not YAML');
    expect(() => parseManifests('a: 1')).toThrow('no apiVersion and kind');
  });
});
