import { OpaqueValue } from './value.ts';

const NUMBER = '(0|[1-9][0-9]*)';
const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`);
const LONGEST = 256;
const UINT64_MAX = (1n << 64n) - 1n;

/** A semantic version, ordered by precedence. */
export class CelSemver extends OpaqueValue {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [bigint, bigint, bigint];
  private readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CelSemver && this.compare(other) === 0;
  }
  compare(other: CelSemver): number {
    for (let i = 0; i < 3; i++) {
      if (this.numbers[i]! !== other.numbers[i]!) return this.numbers[i]! < other.numbers[i]! ? -1 : 1;
    }
    return comparePrerelease(this.prerelease, other.prerelease);
  }
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareIdentifiers(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function compareIdentifiers(a: string, b: string): number {
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reads a version; with `normalize` also `v1`, `1.2` and numbers with leading zeros. */
export function parseSemver(text: string, normalize: boolean): CelSemver | undefined {
  if (text.length > LONGEST) return undefined;
  const source = normalize ? normalized(text) : text;
  const match = source === undefined ? null : VERSION.exec(source);
  if (!match) return undefined;
  const prerelease = match[4]?.split('.') ?? [];
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
  const numbers = [BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!)] as const;
  return numbers.some((number) => number > UINT64_MAX) ? undefined : new CelSemver(numbers, prerelease);
}

function normalized(text: string): string | undefined {
  const bare = text.startsWith('v') ? text.slice(1) : text;
  const [major = '', minor, ...rest] = bare.split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length > 0 ? [rest.join('.')] : [])];
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) return undefined;
  while (parts.length < 3) parts.push('0');
  return parts.map((part) => part.replace(/^0+(?=\d)/, '')).join('.');
}
