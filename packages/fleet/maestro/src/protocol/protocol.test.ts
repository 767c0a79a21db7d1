import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { ManifestWorkStatus } from '../work/manifest-work.ts';
import { acceptsSpec, acceptsStatus, refusalOfUpdate } from './acceptance.ts';
import { parseEventType } from './event-type.ts';
import { hubHash, workId } from './identity.ts';
import { answerSpecResync, answerStatusResync, heldVersions } from './resync.ts';
import { isNewerSequence, SequenceIds, sequenceParts } from './sequence-id.ts';
import { goJson, hashOfNoStatus, statusHash } from './status-hash.ts';
import { decodeWorkEvent, encodeWorkEvent, type WorkEvent } from './work-event.ts';

describe('Ids', () => {
  it.each([
    ['hf-controlplane', 'mc-eu-1', 'hc-7f3a', '8631c131-c183-5797-ac77-db16c53ad0a0'],
    [
      'mw-client-example',
      '7ff1a8f4-8811-49b4-8c19-9271bc51975e',
      'e44ec579-9646-549a-b679-db8d19d6da37',
      '55c61e54-a3f6-563d-9fec-b1fe297bdfdb',
    ],
  ])('When %s sends %s the work %s, it should have the id that upstream gives it', (source, consumer, name, id) => {
    expect(workId(source, consumer, name)).toBe(id);
  });

  it('When a hub has an address, its hash should be the one in the names of applied works', () => {
    expect(hubHash('maestro-mqtt-agent.maestro:1883')).toBe(
      'f1d8a1049b93dffc1929d57a719c3a09a4dcbfe0cd6e42840325be3b2dde73c8',
    );
  });
});

describe('Sequence ids', () => {
  it('When an agent sends a status, its id should carry the time and node 1', () => {
    const clock = new ManualClock(Date.parse('2026-03-02T09:15:30.250Z'));
    const ids = new SequenceIds(clock);
    expect(ids.next()).toBe('2028398782575546368');
    expect(sequenceParts(ids.next())).toEqual({ timeMs: clock.now(), node: 1, step: 1 });
    expect(sequenceParts('2000808179721572352')).toEqual({
      timeMs: Date.parse('2025-12-16T06:00:17.921Z'),
      node: 1,
      step: 0,
    });
  });

  it('When more statuses come than a millisecond has ids, each should still be newer than the one before', () => {
    const ids = new SequenceIds(new ManualClock(Date.parse('2026-03-02T09:15:30.250Z')));
    const all = Array.from({ length: 5000 }, () => ids.next());
    expect(all.filter((id, index) => !isNewerSequence(id, all[index - 1]))).toEqual([]);
  });

  it('When ids are compared, only a later one of the same node should be newer', () => {
    expect(isNewerSequence('2028398782575546368', undefined)).toBe(true);
    expect(isNewerSequence('2028398782575546368', '2028398782575546368')).toBe(false);
    expect(() => isNewerSequence('2028398782575550464', '2028398782575546368')).toThrow('different nodes');
    expect(() => isNewerSequence('later', '2028398782575546368')).toThrow('"later" is no snowflake id');
  });
});

const applied = {
  status: 'True',
  observedGeneration: 1,
  lastTransitionTime: '2026-03-02T09:15:29Z',
} as const;

const reported: ManifestWorkStatus = {
  conditions: [
    {
      type: 'Applied',
      ...applied,
      reason: 'AppliedManifestWorkComplete',
      message: 'Apply manifest work complete',
    },
  ],
  resourceStatus: {
    manifests: [
      {
        resourceMeta: {
          ordinal: 0,
          group: '',
          version: 'v1',
          kind: 'ConfigMap',
          resource: 'configmaps',
          name: 'hello',
          namespace: 'clusters',
        },
        conditions: [
          { type: 'Applied', ...applied, reason: 'AppliedManifestComplete', message: 'Apply manifest complete' },
        ],
      },
    ],
  },
};

describe('Hashes of a status', () => {
  it('When a status is hashed, it should be the hash that an agent of upstream would send', () => {
    expect(statusHash(reported)).toBe('010c58aaa69121c663067db6c8980913b4a28453a000d538027f89be3b943b2b');
    expect(hashOfNoStatus).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('When a message has characters of HTML, they should be escaped as Go does it', () => {
    expect(goJson({ b: '<a> & "b"', a: [undefined, 1], c: undefined })).toBe(
      '{"a":[null,1],"b":"\\u003ca\\u003e \\u0026 \\"b\\""}',
    );
  });
});

const specEvent: WorkEvent = {
  subresource: 'spec',
  action: 'update_request',
  source: 'maestro',
  resourceId: '8631c131-c183-5797-ac77-db16c53ad0a0',
  version: 2,
  consumer: 'mc-eu-1',
  originalSource: '',
  metadata: { name: '8631c131-c183-5797-ac77-db16c53ad0a0', namespace: 'mc-eu-1' },
  data: { manifests: [] },
};

describe('Events about works', () => {
  it('When an event is sent and read, it should say the same', () => {
    const event = encodeWorkEvent(specEvent, 'e1', '2026-03-02T09:20:00Z');
    expect(event.type).toBe('io.open-cluster-management.works.v1alpha1.manifestbundles.spec.update_request');
    expect(event.extensions).toEqual({
      resourceid: '8631c131-c183-5797-ac77-db16c53ad0a0',
      resourceversion: 2,
      clustername: 'mc-eu-1',
      originalsource: '',
      metadata: '{"name":"8631c131-c183-5797-ac77-db16c53ad0a0","namespace":"mc-eu-1"}',
    });
    expect(decodeWorkEvent(event)).toEqual(specEvent);
  });

  it.each([
    ['type', { type: 'x.y.z.spec.create_request' }, {}, 'the event is about x.y.z, not io.open-cluster-management'],
    ['shape of type', { type: 'create' }, {}, 'the type "create" is not <data type>.spec|status.<action>'],
    ['resourceid', {}, { resourceid: '' }, 'the event has no resourceid'],
    ['clustername', {}, { clustername: 7 }, "the event's clustername is no text"],
    ['resourceversion', {}, { resourceversion: 'two' }, 'the event\'s resourceversion "two" is no 32 bit integer'],
    ['metadata', {}, { metadata: '{' }, "the event's metadata is no JSON"],
  ])('When the %s is wrong, it should say so', (_name, fields, extensions, message) => {
    const event = encodeWorkEvent(specEvent, 'e1', '2026-03-02T09:20:00Z');
    expect(() =>
      decodeWorkEvent({ ...event, ...fields, extensions: { ...event.extensions, ...extensions } as never }),
    ).toThrow(message);
  });

  it('When a version comes as digits, as it does over MQTT, it should be a number', () => {
    const event = encodeWorkEvent(specEvent, 'e1', '2026-03-02T09:20:00Z');
    expect(decodeWorkEvent({ ...event, extensions: { ...event.extensions, resourceversion: '12' } }).version).toBe(12);
  });

  it('When a type has too few parts, it should be no type of an event', () => {
    expect(parseEventType('a.b.spec.create_request')).toBeUndefined();
    expect(parseEventType('a.b.c.else.create_request')).toBeUndefined();
  });
});

describe('Resync', () => {
  const stored = [
    { id: 'same', version: 3, isDeleting: false },
    { id: 'newer', version: 4, isDeleting: false },
    { id: 'deleting', version: 1, isDeleting: true },
    { id: 'missing', version: 1, isDeleting: false },
  ];

  it('When an agent says what it holds, it should get what is newer or going, and be told what is gone', () => {
    const held = new Map([
      ['same', 3],
      ['newer', 3],
      ['deleting', 1],
      ['gone', 7],
    ]);
    expect(answerSpecResync(stored, held)).toEqual({
      send: ['newer', 'deleting', 'missing'],
      forget: [{ id: 'gone', version: 7 }],
    });
  });

  it('When an agent holds nothing, it should get everything', () => {
    expect(answerSpecResync(stored, new Map()).send).toHaveLength(4);
  });

  it('When a server asks for statuses, it should get those it knows with another hash, or all when it names none', () => {
    const known = [
      { id: 'same', statusHash: 'a' },
      { id: 'changed', statusHash: 'b' },
      { id: 'unnamed', statusHash: 'c' },
    ];
    const held = new Map([
      ['same', 'a'],
      ['changed', 'x'],
      ['unknown', 'y'],
    ]);
    expect(answerStatusResync(known, held)).toEqual(['changed']);
    expect(answerStatusResync(known, new Map())).toEqual(['same', 'changed', 'unnamed']);
  });

  it('When a question is malformed, it should be refused', () => {
    const ask = (data: unknown) => heldVersions({ id: 'a', source: 's', type: 't', extensions: {}, data });
    expect(ask(undefined)).toEqual(new Map());
    expect(() => ask({ resourceVersions: 7 })).toThrow('resourceVersions of the request is no list of objects');
    expect(() => ask({ resourceVersions: [{}] })).toThrow('has no resourceID or resourceVersion');
  });
});

describe('What is accepted', () => {
  it('When a spec is older than what the agent has, only its deletion should be accepted', () => {
    expect(acceptsSpec({ version: 2, isDeletion: false }, 3)).toBe(false);
    expect(acceptsSpec({ version: 2, isDeletion: true }, 3)).toBe(true);
    expect(acceptsSpec({ version: 0, isDeletion: false }, 3)).toBe(true);
    expect(acceptsSpec({ version: 3, isDeletion: false }, 3)).toBe(true);
  });

  it('When a status is of another version or not newer, it should be dropped', () => {
    const row = { version: 2, sequenceId: '2028398782575546368' };
    expect(acceptsStatus({ version: 1, sequenceId: '2028398831858618368' }, row)).toBe(false);
    expect(acceptsStatus({ version: 2, sequenceId: '2028398782575546368' }, row)).toBe(false);
    expect(acceptsStatus({ version: 2, sequenceId: '2028398831858618368' }, row)).toBe(true);
  });

  it('When an update is not for the latest version, the refusal should name that', () => {
    const row = { id: 'r', version: 3, isDeleting: false };
    expect(refusalOfUpdate(0, row)).toBeUndefined();
    expect(refusalOfUpdate(3, row)).toBeUndefined();
    expect(refusalOfUpdate(2, row)).toBe('the resource version is not the latest, the latest version: 3');
    expect(refusalOfUpdate(3, { ...row, isDeleting: true })).toBe('the resource is under deletion, id: r');
  });
});
