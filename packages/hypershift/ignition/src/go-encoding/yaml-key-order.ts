const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/**
 * The order in which Go's YAML encoder writes map keys: like a natural sort (`a2` before `a10`), digits before letters,
 * other signs before both.
 */
export function compareYamlKeys(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return compareFrom(a, b, i);
  }
  return a.length - b.length;
}

/** Decides at the first place where the keys differ. */
function compareFrom(a: readonly string[], b: readonly string[], at: number): number {
  const [left, right] = [a[at] ?? '', b[at] ?? ''];
  const [leftLetter, rightLetter] = [letter.test(left), letter.test(right)];
  if (leftLetter && rightLetter) return codePoint(left) - codePoint(right);
  if (leftLetter || rightLetter) return rightLetter ? -1 : 1;
  // A zero in the middle of a number is significant: 1.10 is not 1.1, so the digits before it count as one.
  const inNumber = (left === '0' || right === '0') && hasNonZeroDigitBefore(a, at);
  const leftNumber = numberAt(a, at, inNumber);
  const rightNumber = numberAt(b, at, inNumber);
  if (leftNumber.value !== rightNumber.value) return leftNumber.value < rightNumber.value ? -1 : 1;
  if (leftNumber.end !== rightNumber.end) return leftNumber.end - rightNumber.end;
  return codePoint(left) - codePoint(right);
}

function hasNonZeroDigitBefore(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && digit.test(characters[i] ?? ''); i--) if (characters[i] !== '0') return true;
  return false;
}

function numberAt(characters: readonly string[], at: number, inNumber: boolean): { value: bigint; end: number } {
  let value = inNumber ? 1n : 0n;
  let end = at;
  for (; end < characters.length && digit.test(characters[end] ?? ''); end++) {
    // Go computes in 64 bits and lets it wrap.
    value = BigInt.asIntN(64, value * 10n + BigInt(codePoint(characters[end] ?? '') - 48));
  }
  return { value, end };
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;
