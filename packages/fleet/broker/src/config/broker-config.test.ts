import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '@hypershift-ts/fleet-settings';
import { loadBrokerConfig } from './broker-config.ts';

const load = (text: string, env: Record<string, string> = {}) => loadBrokerConfig({ file: 'broker.yaml', text }, env);

const problems = (text: string): string => {
  try {
    load(text);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

describe('loadBrokerConfig', () => {
  it('When only a URL is given, it should fill in the rest', () => {
    expect(load('broker: {type: rabbitmq, rabbitmq: {url: "amqp://localhost"}}')).toEqual({
      broker: {
        type: 'rabbitmq',
        rabbitmq: {
          url: 'amqp://localhost',
          exchange_type: 'fanout',
          routing_key: '',
          prefetch_count: 0,
          prefetch_size: 0,
          publisher_confirm: false,
        },
      },
      subscriber: { parallelism: 1 },
      log_config: false,
    });
  });

  it('When the environment knows better, it should be followed even for keys the file lacks', () => {
    const config = load('', {
      BROKER_TYPE: 'rabbitmq',
      BROKER_RABBITMQ_URL: 'amqps://mq:5671/',
      BROKER_RABBITMQ_PREFETCH_COUNT: '7',
      SUBSCRIBER_PARALLELISM: '4',
    });
    expect(config.broker.rabbitmq).toMatchObject({ url: 'amqps://mq:5671/', prefetch_count: 7 });
    expect(config.subscriber.parallelism).toBe(4);
  });

  it('When the subscriber stands below the broker, it should be read all the same', () => {
    const text = 'broker: {type: rabbitmq, rabbitmq: {url: "amqp://x"}, subscriber: {parallelism: 3}}';
    expect(load(text).subscriber.parallelism).toBe(3);
  });

  it.each([
    ['broker: {type: kafka}', '"kafka" is not one of rabbitmq, googlepubsub'],
    ['broker: {type: rabbitmq}', 'broker.rabbitmq: url is required'],
    ['broker: {type: rabbitmq, rabbitmq: {url: "http://x"}}', 'amqp:// or amqps://'],
    ['broker: {type: rabbitmq, rabbitmq: {url: "amqp://x", exchage: y}}', 'did you mean "exchange"?'],
    ['broker: {type: googlepubsub, googlepubsub: {}}', 'project_id: is required'],
    ['broker: {type: googlepubsub, googlepubsub: {project_id: p, ack_deadline_seconds: 5}}', 'at least 10'],
    ['broker: {type: googlepubsub, googlepubsub: {project_id: p, message_retention_duration: 32d}}', 'outside of what'],
    ['broker: {type: googlepubsub, googlepubsub: {project_id: p, expiration_ttl: 1h}}', 'at least one day'],
  ])('When %s is given, it should be refused', (text, message) => {
    expect(problems(text)).toContain(message);
  });
});

const vectors = new URL('../../../../../../shared/vectors/hyperfleet/', import.meta.url);

describe.skipIf(!existsSync(vectors))('broker files of others (skipped without ../shared/vectors)', () => {
  it.each([
    'broker/broker.example.yaml',
    'broker/rabbitmq.yaml',
    'broker/googlepubsub.yaml',
    'sentinel/broker.yaml',
    'adapter/loader/unit/broker-config.yaml',
  ])('When %s is read, it should be accepted', (path) => {
    const text = readFileSync(new URL(path, vectors), 'utf8');
    expect(loadBrokerConfig({ file: path, text }, {}).broker.type).toMatch(/rabbitmq|googlepubsub/);
  });
});
