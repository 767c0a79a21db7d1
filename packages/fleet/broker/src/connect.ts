import { existsSync, readFileSync } from 'node:fs';
import type { EnvironmentVariables } from '@hypershift-ts/fleet-settings';
import type { BrokerObserver, Publisher, Subscriber, SubscriberOptions } from './broker.ts';
import type { BrokerConfig, RabbitMqConfig } from './config/broker-config.ts';
import { loadBrokerConfig } from './config/broker-config.ts';
import { rabbitMqPublisher, rabbitMqSubscriber } from './rabbitmq/rabbitmq.ts';

/** Reads `BROKER_CONFIG_FILE`, or `broker.yaml` beside the process; without a file the environment alone must do. */
export function brokerConfigOf(env: EnvironmentVariables): BrokerConfig {
  const named = env['BROKER_CONFIG_FILE'];
  const file = named ?? 'broker.yaml';
  const text = named !== undefined || existsSync(file) ? readFileSync(file, 'utf8') : '';
  return loadBrokerConfig({ file, text }, env);
}

/** Connects for publishing. */
export function connectPublisher(config: BrokerConfig, observer?: BrokerObserver): Promise<Publisher> {
  return rabbitMqPublisher({ config: rabbitMqOf(config) }, observer);
}

/** Connects for receiving. */
export function connectSubscriber(
  config: BrokerConfig,
  options: Omit<SubscriberOptions, 'parallelism'>,
): Promise<Subscriber> {
  return rabbitMqSubscriber({ config: rabbitMqOf(config) }, { ...options, parallelism: config.subscriber.parallelism });
}

function rabbitMqOf({ broker }: BrokerConfig): RabbitMqConfig {
  if (broker.type === 'rabbitmq' && broker.rabbitmq) return broker.rabbitmq;
  throw new Error(`there is no binding for ${broker.type} here; use broker.type rabbitmq`);
}
