import { describe, expect, it } from 'vitest';
import type { AdmissionRequest } from '../admission.ts';
import { aLookup, aPod, aRequest } from '../testing/requests.ts';
import { compileCriteria, type MatchResources, matchRequest } from './criteria.ts';
import { RequestView } from './request-view.ts';
import { ResourceIndex } from './resource-index.ts';
import type { ResourceRule } from './rules.ts';

const namespace = (labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'default', labels },
});
const lookup = aLookup(namespace({ env: 'prod' }));
const rule = (more: Partial<ResourceRule> = {}): ResourceRule => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['*'],
  resources: ['pods'],
  ...more,
});

async function matches(match: MatchResources, request: AdmissionRequest): Promise<string | undefined> {
  const context = { user: { name: 'x', groups: [] }, now: 0, userAgent: '', warn: () => {}, auditAnnotation: () => {} };
  return (await matchRequest(compileCriteria(match), new RequestView(request, context, lookup)))?.apiVersion;
}

const create = aRequest({ object: aPod() });

describe('Match rules', () => {
  it.each<[string, ResourceRule, boolean]>([
    ['the resource', rule(), true],
    ['another resource', rule({ resources: ['secrets'] }), false],
    ['any resource', rule({ resources: ['*'] }), true],
    ['any resource and subresource', rule({ resources: ['*/*'] }), true],
    ['any subresource of it', rule({ resources: ['pods/*'] }), true],
    ['one of its subresources', rule({ resources: ['pods/status'] }), false],
    ['any group', rule({ apiGroups: ['*'] }), true],
    ['another group', rule({ apiGroups: ['apps'] }), false],
    ['another version', rule({ apiVersions: ['v2'] }), false],
    ['the operation', rule({ operations: ['CREATE'] }), true],
    ['another operation', rule({ operations: ['UPDATE', 'DELETE'] }), false],
    ['namespaced objects', rule({ scope: 'Namespaced' }), true],
    ['cluster-scoped objects', rule({ scope: 'Cluster' }), false],
    ['its name', rule({ resourceNames: ['web'] }), true],
    ['another name', rule({ resourceNames: ['db'] }), false],
  ])('When a rule names %s, it should match accordingly', async (_, one, expected) => {
    expect(await matches({ resourceRules: [one] }, create)).toBe(expected ? 'v1' : undefined);
  });

  it('When a subresource is written, it should match only rules with a slash', async () => {
    const status = aRequest({ object: aPod(), old: aPod(), subresource: 'status' });
    expect(await matches({ resourceRules: [rule()] }, status)).toBeUndefined();
    expect(await matches({ resourceRules: [rule({ resources: ['pods/status'] })] }, status)).toBe('v1');
    expect(await matches({ resourceRules: [rule({ resources: ['*/status'] })] }, status)).toBe('v1');
  });

  it('When an exclusion matches too, it should win', async () => {
    expect(
      await matches({ resourceRules: [rule({ resources: ['*'] })], excludeResourceRules: [rule()] }, create),
    ).toBeUndefined();
  });

  it('When a namespace itself is written, it should count as cluster-scoped and be judged by its new labels', async () => {
    const request = aRequest({ object: namespace({ env: 'test' }), old: namespace({ env: 'prod' }) });
    const namespaces = rule({ resources: ['namespaces'], scope: 'Cluster' });
    const selecting = (env: string) => ({
      resourceRules: [namespaces],
      namespaceSelector: { matchLabels: { env } },
    });
    expect(await matches(selecting('test'), request)).toBe('v1');
    expect(await matches(selecting('prod'), request)).toBeUndefined();
  });

  it('When a namespace selector is given, it should look at the labels of the namespace, and spare no cluster-scoped object', async () => {
    const selecting = (env: string) => ({ namespaceSelector: { matchLabels: { env } } });
    expect(await matches({ resourceRules: [rule()], ...selecting('prod') }, create)).toBe('v1');
    expect(await matches({ resourceRules: [rule()], ...selecting('test') }, create)).toBeUndefined();
    const node = aRequest({ object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } } });
    expect(await matches({ resourceRules: [rule({ resources: ['nodes'] })], ...selecting('test') }, node)).toBe('v1');
  });

  it('When only the old object carries a label, it should still match', async () => {
    const labelled = aPod({}, { labels: { guard: 'yes' } });
    const match = { resourceRules: [rule()], objectSelector: { matchLabels: { guard: 'yes' } } };
    expect(await matches(match, aRequest({ object: aPod(), old: labelled }))).toBe('v1');
    expect(await matches(match, aRequest({ old: labelled }))).toBe('v1');
    expect(await matches(match, create)).toBeUndefined();
  });

  it('When the same objects are served in another group, it should match by that unless asked for exactness', async () => {
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'default' },
      eventTime: '2026-01-01T00:00:00.000000Z',
    };
    const events = rule({ resources: ['events'] });
    expect(await matches({ resourceRules: [events], matchPolicy: 'Equivalent' }, aRequest({ object: event }))).toBe(
      'v1',
    );
    expect(
      await matches({ resourceRules: [events], matchPolicy: 'Exact' }, aRequest({ object: event })),
    ).toBeUndefined();
  });

  it('When admission itself is configured, it should never be held up by what is configured', () => {
    const index = new ResourceIndex(lookup.catalogue, (criteria: ReturnType<typeof compileCriteria>) => criteria);
    index.replace([
      compileCriteria({ resourceRules: [rule({ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] })] }),
    ]);
    const kind = (name: string) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: name,
      metadata: { name: 'x' },
    });
    expect(index.find(create)).toHaveLength(1);
    for (const name of [
      'ValidatingAdmissionPolicy',
      'MutatingWebhookConfiguration',
      'ValidatingAdmissionPolicyBinding',
    ])
      expect(index.find(aRequest({ object: kind(name) }))).toHaveLength(0);
  });
});
