import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { invalid } from '../errors/index.ts';
import { type Instant, instantToMs, parseInstant } from '../instant.ts';
import { arrayMember, numberMember, objectItems, objectMember, stringMember } from '../resources/body.ts';
import type { ReportStatus } from '../resources/model.ts';

export interface ReportedCondition {
  readonly type: string;
  readonly status: ReportStatus;
  readonly reason?: string;
  readonly message?: string;
}

/** What an adapter PUTs about a resource. */
export interface Report {
  readonly adapter: string;
  readonly observed_generation: number;
  readonly observed_time: Instant;
  readonly conditions: readonly ReportedCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

const maxAhead = 5 * 60_000;
const maxBehind = 30 * 60_000;
const maxInt32 = 0x7fffffff;
const maxAdapterName = 255;
/** More than any adapter has to say; every condition is looked at on every aggregation. */
const maxConditions = 64;
const statuses: readonly string[] = ['True', 'False', 'Unknown'];

/** Checks the body of a report by itself; whether it still matters is for `outcomeOf`. */
export function parseReport(body: JsonObject, nowMs: number): Report {
  const adapter = stringMember(body, 'adapter') ?? '';
  if (adapter === '') throw invalid('adapter is required');
  if (adapter.length > maxAdapterName) throw invalid(`adapter must be at most ${maxAdapterName} characters`);
  const generation = numberMember(body, 'observed_generation') ?? 0;
  if (!Number.isInteger(generation) || generation > maxInt32)
    throw invalid("field 'observed_generation' must be a number without fraction, of at most 32 bits");
  if (generation < 1) throw invalid('observed_generation must be >= 1');
  const conditions = parseConditions(arrayMember(body, 'conditions') ?? []);
  const data = objectMember(body, 'data');
  const metadata = objectMember(body, 'metadata');
  return {
    adapter,
    observed_generation: generation,
    observed_time: parseObservedTime(stringMember(body, 'observed_time'), nowMs),
    conditions,
    ...(data ? { data } : {}),
    ...(metadata ? { metadata: parseMetadata(metadata) } : {}),
  };
}

function parseObservedTime(text: string | undefined, nowMs: number): Instant {
  if (text === undefined || text === '') throw invalid('observed_time is required');
  const time = parseInstant(text);
  if (time === undefined) throw invalid("field 'observed_time' must be a time as in RFC 3339");
  const ms = instantToMs(time);
  if (ms > nowMs + maxAhead) throw invalid('observed_time must not be more than 5m0s in the future');
  if (ms < nowMs - maxBehind) throw invalid('observed_time must not be more than 30m0s in the past');
  return time;
}

function parseConditions(list: readonly JsonValue[]): ReportedCondition[] {
  if (list.length === 0) throw invalid('conditions must not be empty');
  if (list.length > maxConditions) throw invalid(`conditions must have at most ${maxConditions} entries`);
  const seen = new Set<string>();
  return objectItems(list, 'conditions').map((item, index) => {
    const type = stringMember(item, 'type', 'conditions.') ?? '';
    if (type === '') throw invalid(`condition type cannot be empty at index ${index}`);
    if (seen.has(type)) throw invalid(`duplicate condition type '${type}' at index ${index}`);
    seen.add(type);
    const status = stringMember(item, 'status', 'conditions.') ?? '';
    if (!statuses.includes(status)) {
      throw invalid(
        `invalid status value '${status}' for condition at index ${index} (type: ${type}): must be 'True', 'False', or 'Unknown'`,
      );
    }
    const reason = stringMember(item, 'reason', 'conditions.');
    const message = stringMember(item, 'message', 'conditions.');
    return {
      type,
      status: status as ReportStatus,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    };
  });
}

/** Keeps the known members of the job metadata, each of its type. */
function parseMetadata(metadata: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const name of ['job_name', 'job_namespace', 'duration']) {
    const value = stringMember(metadata, name, 'metadata.');
    if (value !== undefined) kept[name] = value;
  }
  for (const name of ['started_time', 'completed_time']) {
    const value = stringMember(metadata, name, 'metadata.');
    if (value === undefined) continue;
    if (parseInstant(value) === undefined) throw invalid(`field 'metadata.${name}' must be a time as in RFC 3339`);
    kept[name] = value;
  }
  const attempt = numberMember(metadata, 'attempt', 'metadata.');
  if (attempt !== undefined) kept['attempt'] = attempt;
  return kept;
}
