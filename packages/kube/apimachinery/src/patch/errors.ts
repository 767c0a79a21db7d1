import { StatusError } from '../status.ts';

/** The patch cannot even be read: 400 BadRequest. */
export function badPatch(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/**
 * The patch was read but does not apply: 422 Invalid. Upstream answers with this fixed sentence and keeps the
 * reason to itself; it travels here as the error's cause.
 */
export function patchDoesNotApply(why: string): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(422, 'Invalid', message, {}, { cause: new Error(why) });
}

/** What upstream lets escape as an unclassified error: 500 with the bare message. */
export function unclassified(message: string): StatusError {
  return new StatusError(500, '', message);
}

/** How Go's `%v` shows a decoded JSON value in messages. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value === 'object') {
    const record = value as Record<string, unknown>;
    const fields = Object.keys(record).sort();
    return `map[${fields.map((field) => `${field}:${goValue(record[field])}`).join(' ')}]`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
