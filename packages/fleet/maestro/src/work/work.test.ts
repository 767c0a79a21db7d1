import { describe, expect, it } from 'vitest';
import { inApplyOrder } from './apply-order.ts';
import { feedbackOf, maestroFeedback } from './feedback.ts';
import { isOrphaned, matchesText, settingsFor } from './manifest-settings.ts';

const hostedCluster = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedCluster',
  metadata: { name: 'demo', namespace: 'clusters' },
  status: {
    conditions: [
      { type: 'Available', status: 'True' },
      { type: 'Degraded', status: 'False' },
    ],
    version: { history: [{ version: '4.19.1' }] },
    observedGeneration: 3,
    load: 0.5,
    ready: true,
    nothing: null,
  },
};

const ask = (path: string, limits = maestroFeedback, version?: string) =>
  feedbackOf(
    hostedCluster,
    [{ type: 'JSONPaths', jsonPaths: [{ name: 'x', path, ...(version ? { version } : {}) }] }],
    limits,
  );

const stock = { rawJson: false, maxJsonLength: 1024 };

describe('Feedback', () => {
  it.each([
    ['.status.conditions[?(@.type=="Available")].status', { type: 'String', string: 'True' }],
    ['.status.observedGeneration', { type: 'Integer', integer: 3 }],
    ['.status.ready', { type: 'Boolean', boolean: true }],
    ['.status.load', { type: 'JsonRaw', jsonRaw: '0.5' }],
    ['.status.conditions[*].status', { type: 'JsonRaw', jsonRaw: '["True","False"]' }],
    ['.status.version', { type: 'JsonRaw', jsonRaw: '{"history":[{"version":"4.19.1"}]}' }],
    ['.metadata.name', { type: 'String', string: 'demo' }],
  ])('When %s is asked for, it should be answered with its type', (path, fieldValue) => {
    expect(ask(path)).toEqual({ values: [{ name: 'x', fieldValue }], errors: [] });
  });

  it.each(['.status.missing.deep', '.status.nothing', '.status.conditions[?(@.type=="Other")].status'])(
    'When %s has no value, it should be left out without an error',
    (path) => {
      expect(ask(path)).toEqual({ values: [], errors: [] });
    },
  );

  it('When JSON may not be sent, only scalars should be, and the first of several', () => {
    expect(ask('.status.conditions[*].status', stock).values).toEqual([
      { name: 'x', fieldValue: { type: 'String', string: 'True' } },
    ]);
    expect(ask('.status.version', stock)).toEqual({
      values: [],
      errors: ['x: the value at .status.version is neither text, integer nor boolean'],
    });
  });

  it('When JSON is too long, it should be left out with an error that names the limit', () => {
    const { values, errors } = ask('.status', { rawJson: true, maxJsonLength: 10 });
    expect(values).toEqual([]);
    expect(errors).toEqual([expect.stringMatching(/json raw string \d+ is larger than the maximum length 10/)]);
  });

  it('When a rule is for another version or no path, it should say so', () => {
    expect(ask('.status.ready', maestroFeedback, 'v1').errors).toEqual(['x: the object has version v1beta1, not v1']);
    expect(ask('.status[').errors).toHaveLength(1);
  });

  it('When the status of a well known kind is asked for, it should be answered', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      status: { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] },
    };
    expect(feedbackOf(job, [{ type: 'WellKnownStatus' }]).values).toEqual([
      { name: 'JobComplete', fieldValue: { type: 'String', string: 'True' } },
      { name: 'JobSucceeded', fieldValue: { type: 'Integer', integer: 1 } },
    ]);
    expect(feedbackOf(hostedCluster, [{ type: 'WellKnownStatus' }]).errors).toEqual([
      'there is no well known status of hypershift.openshift.io/v1beta1 HostedCluster; name its fields with JSONPaths',
    ]);
  });
});

const object = { group: 'apps', resource: 'deployments', name: 'api-server', namespace: 'clusters-demo' };
const identifier = { group: 'apps', resource: 'deployments', name: 'api-*', namespace: 'clusters-*' };

describe('Settings of an object', () => {
  it('When several configs match, the first with a setting should count', () => {
    const settings = settingsFor(object, [
      { resourceIdentifier: { ...identifier, group: '' }, updateStrategy: { type: 'ReadOnly' } },
      { resourceIdentifier: identifier, feedbackRules: [], feedbackScrapeType: 'Watch' },
      { resourceIdentifier: identifier, feedbackRules: [{ type: 'WellKnownStatus' }] },
      {
        resourceIdentifier: { ...identifier, name: 'api-server' },
        updateStrategy: { type: 'ServerSideApply' },
        feedbackScrapeType: 'Poll',
      },
    ]);
    expect(settings).toEqual({
      feedbackRules: [{ type: 'WellKnownStatus' }],
      conditionRules: [],
      updateStrategy: { type: 'ServerSideApply' },
      feedbackScrapeType: 'Poll',
    });
  });

  it.each([
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*bc', 'abbc', true],
    ['ab*bc', 'abc', false],
    ['*', '', true],
    ['a*b*c', 'a1b2b3c', true],
    ['a*b*c', 'a1c', false],
    ['abc', 'abcd', false],
    ['a.c', 'abc', false],
  ])('When %s is compared with %s, it should be %s', (pattern, text, expected) => {
    expect(matchesText(pattern, text)).toBe(expected);
  });

  it('When a work goes, only what its option names should stay', () => {
    expect(isOrphaned(object, undefined)).toBe(false);
    expect(isOrphaned(object, { propagationPolicy: 'Orphan' })).toBe(true);
    const rules = { orphaningRules: [object] };
    expect(isOrphaned(object, { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: rules })).toBe(true);
    expect(
      isOrphaned({ ...object, name: 'x' }, { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: rules }),
    ).toBe(false);
  });
});

describe('Order', () => {
  it('When objects are applied, what others need should come first, otherwise as in the spec', () => {
    const kinds = ['HostedCluster', 'Secret', 'Deployment', 'Namespace', 'NodePool', 'ConfigMap'];
    const manifests = kinds.map((kind) => ({ apiVersion: 'v1', kind, metadata: { name: 'x' } }));
    expect(inApplyOrder(manifests).map(({ manifest, ordinal }) => `${ordinal} ${manifest.kind}`)).toEqual([
      '3 Namespace',
      '1 Secret',
      '5 ConfigMap',
      '2 Deployment',
      '0 HostedCluster',
      '4 NodePool',
    ]);
  });
});
