import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { describe, expect, it } from 'vitest';
import { encodeWorkEvent } from '../protocol/work-event.ts';
import { fromMessage, heartbeat, isHeartbeat, toMessage } from './grpc-event.ts';
import { type CloudEventMessage, cloudEventService, type PublishMessage } from './grpc-service.ts';
import { fromMqtt, toMqtt } from './mqtt-event.ts';
import { agentEventsTopic, agentSubscription, sourceEventsTopic, sourceOfTopic, topicProblems } from './mqtt-topics.ts';
import { fromTimestamp, toTimestamp } from './timestamp.ts';

const event: CloudEvent = encodeWorkEvent(
  {
    subresource: 'spec',
    action: 'delete_request',
    source: 'maestro',
    resourceId: '8631c131-c183-5797-ac77-db16c53ad0a0',
    version: 2,
    consumer: 'mc-eu-1',
    deletionTimestamp: '2026-03-02T10:00:00.123456789Z',
    metadata: { name: 'hc-7f3a' },
    data: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ümläut' } }] },
  },
  'e1',
  '2026-03-02T09:15:28Z',
);

/** Through the bytes of the wire and back. */
function overGrpc(event: CloudEventMessage): CloudEventMessage | null {
  const { requestSerialize, requestDeserialize } = cloudEventService.Publish;
  return (requestDeserialize(requestSerialize({ event })) as PublishMessage).event;
}

describe('Events over gRPC', () => {
  it('When an event goes over the wire, it should arrive as it was sent', () => {
    expect(fromMessage(overGrpc(toMessage(event)) ?? expect.fail('nothing arrived'))).toEqual(event);
  });

  it('When an event is sent, attributes should have the prefix and the types that Go decoders want', () => {
    expect(toMessage(event).attributes).toEqual({
      contenttype: { ce_string: 'application/json' },
      'ce-time': { ce_timestamp: { seconds: 1_772_442_928, nanos: 0 } },
      'ce-resourceid': { ce_string: '8631c131-c183-5797-ac77-db16c53ad0a0' },
      'ce-resourceversion': { ce_integer: 2 },
      'ce-clustername': { ce_string: 'mc-eu-1' },
      'ce-originalsource': { ce_string: '' },
      'ce-deletiontimestamp': { ce_timestamp: { seconds: 1_772_445_600, nanos: 123_456_789 } },
      'ce-metadata': { ce_string: '{"name":"hc-7f3a"}' },
    });
  });

  it('When the numbers of the fields are looked at, they should be those of upstream', () => {
    const bytes = cloudEventService.Subscribe.requestSerialize({ source: 's', cluster_name: 'c', data_type: 'd' });
    expect(bytes.toString('hex')).toBe('0a01731201631a0164');
  });

  it('When an event comes in structured mode, it should be read too', () => {
    const whole = { specversion: '1.0', id: 'a', source: 's', type: 't', resourceversion: 1, data: { k: 1 } };
    const message = {
      id: '',
      source: '',
      spec_version: '',
      type: '',
      attributes: { contenttype: { ce_string: 'application/cloudevents+json' } },
      binary_data: Buffer.from(JSON.stringify(whole)),
    };
    expect(fromMessage(message)).toEqual({
      id: 'a',
      source: 's',
      type: 't',
      extensions: { resourceversion: 1 },
      data: { k: 1 },
    });
  });

  it('When a message is no event, it should say why', () => {
    const message = toMessage(event);
    expect(() => fromMessage({ ...message, attributes: {} })).toThrow('unknown encoding');
    expect(() => fromMessage({ ...message, id: '' })).toThrow('the event has no id');
    expect(() => fromMessage({ ...message, binary_data: Buffer.from('{') })).toThrow("the event's data is no JSON");
    expect(() => toMessage({ ...event, extensions: { count: 2 ** 31 } })).toThrow('count=2147483648 is no 32 bit');
  });

  it('When nothing happens, heartbeats should be told from events', () => {
    expect(isHeartbeat(overGrpc(heartbeat('h1')) ?? expect.fail('nothing arrived'))).toBe(true);
    expect(isHeartbeat(toMessage(event))).toBe(false);
  });
});

describe('Timestamps', () => {
  it.each(['2026-03-02T09:15:28Z', '2026-03-02T09:15:28.5Z', '1969-12-31T23:59:59.000000001Z'])(
    'When %s is sent and read, it should be the same',
    (text) => {
      expect(fromTimestamp(toTimestamp(text))).toBe(text);
    },
  );

  it('When a text is no time, it should be refused', () => {
    expect(() => toTimestamp('yesterday')).toThrow('"yesterday" is no RFC 3339 time');
    expect(fromTimestamp(toTimestamp('2026-03-02T11:15:28+02:00'))).toBe('2026-03-02T09:15:28Z');
  });
});

describe('Events over MQTT', () => {
  it('When an event goes over the wire, all of it should arrive, numbers as texts', () => {
    const { contentType, userProperties, payload } = toMqtt(event);
    expect(userProperties).toMatchObject({
      'ce-specversion': '1.0',
      'ce-resourceversion': '2',
      'ce-originalsource': '',
    });
    expect(fromMqtt(contentType, userProperties, payload)).toEqual({
      ...event,
      extensions: { ...event.extensions, resourceversion: '2' },
    });
  });

  it('When a broker lost the properties, the error should say what is needed', () => {
    expect(() => fromMqtt('application/json', {}, Buffer.from('{}'))).toThrow('events need MQTT 5');
  });
});

describe('Topics', () => {
  const topics = {
    sourceEvents: 'sources/maestro/consumers/+/sourceevents',
    agentEvents: '$share/statussubscribers/sources/maestro/consumers/+/agentevents',
  };

  it('When a server and an agent use them, they should meet', () => {
    expect(topicProblems(topics)).toEqual([]);
    expect(sourceEventsTopic(topics, 'c1')).toBe('sources/maestro/consumers/c1/sourceevents');
    expect(agentSubscription(topics, 'c1')).toBe('sources/maestro/consumers/c1/sourceevents');
    expect(agentEventsTopic(topics, 'c1')).toBe('sources/maestro/consumers/c1/agentevents');
    expect(sourceOfTopic(topics.agentEvents)).toBe('maestro');
  });

  it('When all sources are asked, the topic for that should be used if there is one', () => {
    const all = { ...topics, agentBroadcast: 'agents/+/agentbroadcast' };
    expect(agentEventsTopic(all, 'c1', true)).toBe('agents/c1/agentbroadcast');
    expect(agentEventsTopic(topics, 'c1', true)).toBe('sources/maestro/consumers/c1/agentevents');
  });

  it('When a topic has another shape, the problem should name it', () => {
    expect(topicProblems({ sourceEvents: 'works/c1' })).toEqual([
      expect.stringContaining('topics.sourceEvents: "works/c1" must match'),
      'topics.agentEvents is required',
    ]);
  });
});
