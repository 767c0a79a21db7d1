/** Publishing and receiving the events of a fleet. */
export * from './broker.ts';
export { type BrokerConfig, loadBrokerConfig, type RabbitMqConfig } from './config/broker-config.ts';
export { InProcessBroker, type InProcessBrokerOptions } from './in-process/in-process-broker.ts';
export { type AmqpConnect, rabbitMqPublisher, rabbitMqSubscriber } from './rabbitmq/rabbitmq.ts';
export { defaultRedelivery, type RedeliveryRule } from './redelivery.ts';
export { brokerConfigOf, connectPublisher, connectSubscriber } from './connect.ts';
