import { parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import type { MapReader } from '@hypershift-ts/fleet-settings';
import { compact } from '@hypershift-ts/fleet-settings';

export interface PubSubConfig {
  readonly project_id: string;
  readonly ack_deadline_seconds?: number;
  readonly message_retention_duration?: string;
  readonly expiration_ttl?: string;
  readonly enable_message_ordering?: boolean;
  readonly retry_min_backoff?: string;
  readonly retry_max_backoff?: string;
  readonly dead_letter_topic?: string;
  readonly dead_letter_max_attempts?: number;
  readonly topic_retention_duration?: string;
  readonly max_outstanding_messages?: number;
  readonly max_outstanding_bytes?: number;
  readonly num_goroutines?: number;
  readonly create_topic_if_missing: boolean;
  readonly create_subscription_if_missing: boolean;
}

export const PUBSUB_SETTINGS: readonly (readonly [string, 'text' | 'number' | 'bool'])[] = [
  ['project_id', 'text'],
  ['ack_deadline_seconds', 'number'],
  ['message_retention_duration', 'text'],
  ['expiration_ttl', 'text'],
  ['enable_message_ordering', 'bool'],
  ['retry_min_backoff', 'text'],
  ['retry_max_backoff', 'text'],
  ['dead_letter_topic', 'text'],
  ['dead_letter_max_attempts', 'number'],
  ['topic_retention_duration', 'text'],
  ['max_outstanding_messages', 'number'],
  ['max_outstanding_bytes', 'number'],
  ['num_goroutines', 'number'],
  ['create_topic_if_missing', 'bool'],
  ['create_subscription_if_missing', 'bool'],
];

const minute = 60_000;
const day = 24 * 60 * minute;

/** Reads the settings of Google Pub/Sub and holds them to the limits of that service. */
export function readPubSub(pubsub: MapReader | undefined, isUsed: boolean): PubSubConfig | undefined {
  if (!pubsub) return undefined;
  const retention = span(pubsub, 'message_retention_duration', 10 * minute, 31 * day);
  const ttl = span(pubsub, 'expiration_ttl', 0, Number.POSITIVE_INFINITY);
  if (ttl !== undefined && ttl > 0 && ttl < day) pubsub.problem('expiration_ttl', 'must be 0 or at least one day');
  if (ttl !== undefined && ttl > 0 && retention !== undefined && ttl < retention)
    pubsub.problem('expiration_ttl', 'must not be shorter than message_retention_duration');
  span(pubsub, 'retry_min_backoff', 0, 10 * minute);
  span(pubsub, 'retry_max_backoff', 0, 10 * minute);
  span(pubsub, 'topic_retention_duration', 0, 31 * day);
  const read = compact({
    project_id: isUsed ? pubsub.required('project_id') : (pubsub.string('project_id') ?? ''),
    ack_deadline_seconds: pubsub.integer('ack_deadline_seconds', { min: 10, max: 600 }),
    message_retention_duration: pubsub.string('message_retention_duration'),
    expiration_ttl: pubsub.string('expiration_ttl'),
    enable_message_ordering: pubsub.bool('enable_message_ordering'),
    retry_min_backoff: pubsub.string('retry_min_backoff'),
    retry_max_backoff: pubsub.string('retry_max_backoff'),
    dead_letter_topic: pubsub.string('dead_letter_topic'),
    dead_letter_max_attempts: pubsub.integer('dead_letter_max_attempts', { min: 5, max: 100 }),
    topic_retention_duration: pubsub.string('topic_retention_duration'),
    max_outstanding_messages: pubsub.integer('max_outstanding_messages'),
    max_outstanding_bytes: pubsub.integer('max_outstanding_bytes'),
    num_goroutines: pubsub.integer('num_goroutines'),
    create_topic_if_missing: pubsub.bool('create_topic_if_missing') ?? false,
    create_subscription_if_missing: pubsub.bool('create_subscription_if_missing') ?? false,
  });
  pubsub.end();
  return read as PubSubConfig;
}

/** Milliseconds of `10s`, `5m`, `1h` or `7d`, which Go's durations do not have. */
function span(pubsub: MapReader, key: string, least: number, most: number): number | undefined {
  const text = pubsub.string(key);
  if (text === undefined || text === '') return undefined;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const ms = days === undefined ? parseGoDuration(text) : Number(days) * day;
  if (ms === undefined)
    pubsub.problem(key, `a duration such as "10s" or "7d" is expected, not ${JSON.stringify(text)}`);
  else if (ms < least || ms > most) pubsub.problem(key, `${text} is outside of what Pub/Sub allows`);
  return ms;
}
