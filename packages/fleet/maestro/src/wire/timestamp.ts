import { EventFormatError } from '@hypershift-ts/fleet-cloud-events';

/** A point in time as protobuf has it. */
export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** RFC 3339 with up to nanoseconds, all of which are kept. */
export function toTimestamp(text: string): Timestamp {
  const [, whole = '', fraction = '', zone = ''] = shape.exec(text) ?? [];
  const ms = Date.parse(`${whole}${zone}`);
  if (!Number.isFinite(ms)) throw new EventFormatError(`${JSON.stringify(text)} is no RFC 3339 time`);
  return { seconds: ms / 1000, nanos: Number(fraction.padEnd(9, '0')) };
}

/** The shortest RFC 3339 text in UTC that loses nothing. */
export function fromTimestamp({ seconds = 0, nanos = 0 }: Partial<Timestamp>): string {
  const date = new Date(seconds * 1000);
  if (!Number.isFinite(date.getTime()) || nanos < 0 || nanos > 999_999_999)
    throw new EventFormatError(`the timestamp ${seconds}s ${nanos}ns is out of range`);
  const fraction = String(nanos).padStart(9, '0').replace(/0+$/, '');
  return date.toISOString().replace(/\.\d+Z$/, fraction ? `.${fraction}Z` : 'Z');
}
