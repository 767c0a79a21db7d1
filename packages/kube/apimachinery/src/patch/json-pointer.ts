import { patchDoesNotApply } from './errors.ts';

/** The reference tokens of an RFC 6901 pointer. The empty pointer is the whole document. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw patchDoesNotApply(`invalid JSON pointer: ${pointer}`);
  const tokens = pointer.slice(1).split('/');
  if (pointer.includes('~')) {
    for (let i = 0; i < tokens.length; i++) {
      tokens[i] = (tokens[i] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
    }
  }
  if (tokens.includes('__proto__')) throw patchDoesNotApply('the member name "__proto__" is not supported');
  return tokens;
}

/** Writes a member name as a reference token. */
export function escapePointerToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * An existing position in an array of `length`. Negative positions count from the end, as the library of the real
 * API server has it.
 */
export function arrayIndex(token: string, length: number): number {
  if (!/^[+-]?[0-9]{1,15}$/.test(token)) throw patchDoesNotApply(`invalid array index: ${token}`);
  const index = Number(token);
  const position = index < 0 ? index + length : index;
  if (position < 0 || position >= length) throw patchDoesNotApply(`array index out of bounds: ${token}`);
  return position;
}
