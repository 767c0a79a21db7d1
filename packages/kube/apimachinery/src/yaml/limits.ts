/** A body that cannot be decoded; the API answers it with 400 BadRequest. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

export interface DecodeOptions {
  /** Look for repeated keys and report them; costs a second pass. */
  readonly findDuplicates?: boolean;
  /** Refuse longer texts; characters, not bytes. Default 3 MiB, the API server's limit on bodies. */
  readonly maxLength?: number;
  /** Only `true` and `false` are booleans in YAML; `yes`, `no`, `on`, `off`, `y` and `n` stay texts, as newer Go programs read them. */
  readonly plainBooleans?: boolean;
}

const defaultMaxLength = 3 * 1024 * 1024;

// Deep enough for every schema there is, shallow enough for every recursive function of ours.
const maxDepth = 500;
export const maxYamlDepth = 200;

export function checkLength(text: string, { maxLength = defaultMaxLength }: DecodeOptions): void {
  if (text.length > maxLength) throw new DecodeError(`the body is longer than ${maxLength} characters`);
}

export const tooDeep = (): DecodeError => new DecodeError('exceeded max depth');

/** Where the string ends whose first character is at `start`. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Refuses JSON nested more deeply than anything of ours could walk. */
export function checkJsonDepth(text: string): void {
  if (text.length <= 2 * maxDepth) return;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 34: // "
        i = endOfString(text, i + 1);
        break;
      case 91: // [
      case 123: // {
        if (++depth > maxDepth) throw tooDeep();
        break;
      case 93: // ]
      case 125: // }
        depth--;
        break;
      default:
    }
  }
}

/** Refuses member names that reach an object's prototype when copied carelessly, and depth beyond the limit. */
export function checkMembers(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw tooDeep();
  if (Array.isArray(value)) {
    for (const item of value) checkMembers(item, depth + 1);
    return;
  }
  if (Object.hasOwn(value, '__proto__')) throw new DecodeError('the member name "__proto__" is not supported');
  for (const key in value) checkMembers((value as Record<string, unknown>)[key], depth + 1);
}

/** Whether a text could name `__proto__`, plainly or by escapes. */
export function mayNameProto(text: string): boolean {
  return text.includes('__proto__') || (text.includes('\\') && /\\[uxU]0*5[fF]/.test(text));
}
