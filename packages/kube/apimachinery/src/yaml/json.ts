import type { JsonValue } from '../json.ts';
import { findDuplicateFields } from './duplicate-fields.ts';
import type { DecodeOptions } from './limits.ts';
import { checkJsonDepth, checkLength, checkMembers, DecodeError, mayNameProto } from './limits.ts';

/** A decoded body and what strict decoding would hold against it. */
export interface Decoded {
  readonly value: JsonValue;
  /** `duplicate field "spec.x"`, when asked for. */
  readonly strictErrors: readonly string[];
}

const none: readonly string[] = Object.freeze([]);

/** Decodes JSON. Of repeated keys the last counts. */
export function decodeJson(text: string, options: DecodeOptions = {}): Decoded {
  checkLength(text, options);
  checkJsonDepth(text);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new DecodeError((error as Error).message, { cause: error });
  }
  if (mayNameProto(text)) checkMembers(value);
  return { value, strictErrors: options.findDuplicates ? findDuplicateFields(text) : none };
}

/** The message of a strict decoding failure, from all that was found. */
export function strictDecodingError(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(', ')}`;
}
