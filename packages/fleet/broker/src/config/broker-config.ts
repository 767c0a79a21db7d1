import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { jsonClone } from '@hypershift-ts/kube-apimachinery';
import type { EnvironmentVariables } from '@hypershift-ts/fleet-settings';
import {
  assignSetting,
  compact,
  ConfigError,
  ConfigSource,
  MapReader,
  Origins,
  Problems,
} from '@hypershift-ts/fleet-settings';
import type { PubSubConfig } from './pubsub-config.ts';
import { PUBSUB_SETTINGS, readPubSub } from './pubsub-config.ts';

export interface RabbitMqConfig {
  readonly url: string;
  readonly exchange?: string;
  readonly exchange_type: 'direct' | 'fanout' | 'topic' | 'headers';
  readonly queue?: string;
  readonly routing_key: string;
  readonly prefetch_count: number;
  readonly prefetch_size: number;
  readonly consumer_tag?: string;
  readonly publisher_confirm: boolean;
}

/** The contents of `broker.yaml`. */
export interface BrokerConfig {
  readonly broker: {
    readonly type: 'rabbitmq' | 'googlepubsub';
    readonly rabbitmq?: RabbitMqConfig;
    readonly googlepubsub?: PubSubConfig;
  };
  readonly subscriber: { readonly parallelism: number };
  readonly log_config: boolean;
}

const RABBITMQ_SETTINGS: readonly (readonly [string, 'text' | 'number' | 'bool'])[] = [
  ['url', 'text'],
  ['exchange', 'text'],
  ['exchange_type', 'text'],
  ['queue', 'text'],
  ['routing_key', 'text'],
  ['prefetch_count', 'number'],
  ['prefetch_size', 'number'],
  ['consumer_tag', 'text'],
  ['publisher_confirm', 'bool'],
];

/** Every setting that an environment variable overrides: its path in capitals, joined by underscores. */
const SETTINGS: readonly (readonly [string, 'text' | 'number' | 'bool'])[] = [
  ['broker.type', 'text'],
  ...RABBITMQ_SETTINGS.map(([key, kind]) => [`broker.rabbitmq.${key}`, kind] as const),
  ...PUBSUB_SETTINGS.map(([key, kind]) => [`broker.googlepubsub.${key}`, kind] as const),
  ['subscriber.parallelism', 'number'],
  ['log_config', 'bool'],
];

/** Reads a broker file with the overrides of the environment. Throws `ConfigError`. */
export function loadBrokerConfig(
  { file, text }: { readonly file: string; readonly text: string },
  env: EnvironmentVariables = process.env,
): BrokerConfig {
  const origins = new Origins();
  const source = new ConfigSource(file, text, origins);
  const overrides = SETTINGS.flatMap(([setting, kind]) => {
    const value = env[setting.replaceAll('.', '_').toUpperCase()];
    return value === undefined || value === '' ? [] : [[setting, typed(value, kind)] as const];
  });
  // Without overrides the tree stays the one whose places are known.
  const tree = overrides.length === 0 ? source.root : jsonClone(source.root);
  for (const [setting, value] of overrides) assignSetting(tree as { [key: string]: JsonValue }, setting, value);
  const problems = new Problems(origins, tree, file);
  const config = readBroker(new MapReader(tree, [], problems));
  if (problems.found.length > 0) throw new ConfigError(problems.found);
  return config;
}

function typed(text: string, kind: 'text' | 'number' | 'bool'): JsonValue {
  if (kind === 'number' && /^\d+$/.test(text)) return Number(text);
  if (kind === 'bool' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

function readBroker(root: MapReader): BrokerConfig {
  const broker = root.section('broker');
  if (!broker) root.problem('broker', 'is required');
  const type = broker?.choice('type', ['rabbitmq', 'googlepubsub']);
  if (broker && !broker.has('type')) broker.problem('type', 'is required: rabbitmq or googlepubsub');
  const rabbitmq = readRabbitMq(broker?.section('rabbitmq'), type === 'rabbitmq');
  const googlepubsub = readPubSub(broker?.section('googlepubsub'), type === 'googlepubsub');
  if (type === 'rabbitmq' && !rabbitmq) broker?.problem('rabbitmq', 'url is required');
  if (type === 'googlepubsub' && !googlepubsub) broker?.problem('googlepubsub', 'project_id is required');
  // The adapter's chart puts the subscriber below the broker, where nothing read it.
  const subscriber = root.section('subscriber') ?? broker?.section('subscriber');
  const parallelism = subscriber?.integer('parallelism', { min: 1, max: 1000 }) ?? 1;
  root.section('publisher')?.end();
  const log_config = root.bool('log_config') ?? false;
  for (const section of [subscriber, broker, root]) section?.end();
  return {
    broker: compact({ type: type ?? 'rabbitmq', rabbitmq, googlepubsub }) as BrokerConfig['broker'],
    subscriber: { parallelism },
    log_config,
  };
}

function readRabbitMq(rabbitmq: MapReader | undefined, isUsed: boolean): RabbitMqConfig | undefined {
  if (!rabbitmq) return undefined;
  const url = isUsed ? rabbitmq.required('url') : (rabbitmq.string('url') ?? '');
  if (url !== '' && !/^amqps?:\/\//.test(url)) rabbitmq.problem('url', 'an amqp:// or amqps:// URL is expected');
  const read = compact({
    url,
    exchange: rabbitmq.string('exchange') || undefined,
    exchange_type: rabbitmq.choice('exchange_type', ['direct', 'fanout', 'topic', 'headers']) ?? 'fanout',
    queue: rabbitmq.string('queue') || undefined,
    routing_key: rabbitmq.string('routing_key') ?? '',
    prefetch_count: rabbitmq.integer('prefetch_count', { max: 65_535 }) ?? 0,
    prefetch_size: rabbitmq.integer('prefetch_size') ?? 0,
    consumer_tag: rabbitmq.string('consumer_tag') || undefined,
    publisher_confirm: rabbitmq.bool('publisher_confirm') ?? false,
  });
  rabbitmq.end();
  return read as RabbitMqConfig;
}
