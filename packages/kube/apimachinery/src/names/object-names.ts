import { randomUUID } from 'node:crypto';
import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isPathSegmentPrefix,
} from './formats.ts';

/** What a kind demands of its objects' names; `prefix` is true for generateName, to which a suffix will be added. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

// A generated name never ends with the dash its prefix ends with, so the dash (and, as upstream does it, the
// character before it) is judged as if it were a letter.
function withoutTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

export const nameIsDNSSubdomain: NameRule = (name, prefix) =>
  isDNS1123Subdomain(prefix ? withoutTrailingDash(name) : name);
export const nameIsDNSLabel: NameRule = (name, prefix) => isDNS1123Label(prefix ? withoutTrailingDash(name) : name);
export const nameIsDNS1035Label: NameRule = (name, prefix) => isDNS1035Label(prefix ? withoutTrailingDash(name) : name);
export const nameIsPathSegment: NameRule = (name, prefix) =>
  prefix ? isPathSegmentPrefix(name) : isPathSegmentName(name);

/** A number in [0, 1), as `Math.random` gives it. */
export type Random = () => number;

// No vowels and no digits that look like letters: a random name should not spell anything.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestBase = 63 - suffixLength;

/** Random characters of the alphabet Kubernetes uses for generated names. */
export function randomNameSuffix(length = suffixLength, random: Random = Math.random): string {
  let suffix = '';
  for (let i = 0; i < length; i++) suffix += alphabet[Math.floor(random() * alphabet.length)];
  return suffix;
}

/** The name of an object created with generateName: the base cut to 58 characters and five random ones. */
export function generateName(base: string, random: Random = Math.random): string {
  return `${base.slice(0, longestBase)}${randomNameSuffix(suffixLength, random)}`;
}

/** Maps any string onto the alphabet of generated names; used for hashes that become part of a name. */
export function safeEncodeString(text: string): string {
  let encoded = '';
  for (const char of text) encoded += alphabet[(char.codePointAt(0) ?? 0) % alphabet.length];
  return encoded;
}

/** A fresh object UID. */
export function newUid(): string {
  return randomUUID();
}
