import { goNanosecondsText, parseGoNanoseconds } from '../duration.ts';
import { ProtobufError } from './reader.ts';

/** Durations travel as nanoseconds and stand as text in objects. */
export const durationText = goNanosecondsText;

export function parseDuration(text: string): number {
  const nanos = parseGoNanoseconds(text);
  if (nanos === undefined) throw new ProtobufError(`"${text.slice(0, 64)}" is no duration`);
  return nanos;
}
