import { blowfishTables } from './blowfish-tables.ts';

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const magic = 'OrpheanBeholderScryDoubt';

/** The cheapest cost there is: for passwords made of so many random bits that nobody can try them out anyway. */
const lowestCost = 4;

/** The bcrypt hash of a password, `$2a$<cost>$<salt><hash>`; the salt is 16 bytes. */
export function bcrypt(password: string, salt: Uint8Array, cost = lowestCost): string {
  if (salt.length !== 16) throw new Error(`a bcrypt salt has 16 bytes, not ${salt.length}`);
  if (cost < lowestCost || cost > 31) throw new Error(`a bcrypt cost is between ${lowestCost} and 31, not ${cost}`);
  const key = Buffer.from(`${password}\0`).subarray(0, 72);
  const cipher = expensiveSchedule(key, salt, cost);
  const text = wordsOf(Buffer.from(magic));
  for (let i = 0; i < text.length; i += 2) for (let round = 0; round < 64; round++) cipher.encrypt(text, i);
  const hash = Buffer.alloc(24);
  text.forEach((word, i) => hash.writeInt32BE(word, i * 4));
  return `$2a$${String(cost).padStart(2, '0')}$${encode(salt)}${encode(hash.subarray(0, 23))}`;
}

function expensiveSchedule(key: Uint8Array, salt: Uint8Array, cost: number): Blowfish {
  const cipher = new Blowfish();
  const nothing = new Uint8Array(16);
  cipher.expand(key, salt);
  for (let left = 2 ** cost; left > 0; left--) {
    cipher.expand(key, nothing);
    cipher.expand(salt, nothing);
  }
  return cipher;
}

class Blowfish {
  private readonly p: Int32Array;
  private readonly s: Int32Array;

  constructor() {
    ({ p: this.p, s: this.s } = blowfishTables());
  }

  /** Mixes a key into the tables, and the salt into what they encrypt meanwhile. */
  expand(key: Uint8Array, salt: Uint8Array): void {
    const { p, s } = this;
    for (let i = 0, at = 0; i < p.length; i++) {
      let word = 0;
      for (let byte = 0; byte < 4; byte++, at = (at + 1) % key.length) word = (word << 8) | (key[at] ?? 0);
      p[i] = (p[i] ?? 0) ^ word;
    }
    const saltWords = wordsOf(salt);
    const block = new Int32Array(2);
    let turn = 0;
    for (const table of [p, s])
      for (let i = 0; i < table.length; i += 2) {
        block[0] = (block[0] ?? 0) ^ (saltWords[turn] ?? 0);
        block[1] = (block[1] ?? 0) ^ (saltWords[turn + 1] ?? 0);
        turn = (turn + 2) % 4;
        this.encrypt(block, 0);
        table[i] = block[0] ?? 0;
        table[i + 1] = block[1] ?? 0;
      }
  }

  /** Encrypts the two words at `at` where they stand. */
  encrypt(words: Int32Array, at: number): void {
    const { p, s } = this;
    let left = words[at] ?? 0;
    let right = words[at + 1] ?? 0;
    for (let round = 0; round < 16; round++) {
      left ^= p[round] ?? 0;
      const mixed =
        ((((s[left >>> 24] ?? 0) + (s[256 + ((left >>> 16) & 255)] ?? 0)) ^ (s[512 + ((left >>> 8) & 255)] ?? 0)) +
          (s[768 + (left & 255)] ?? 0)) |
        0;
      const next = right ^ mixed;
      right = left;
      left = next;
    }
    words[at] = right ^ (p[17] ?? 0);
    words[at + 1] = left ^ (p[16] ?? 0);
  }
}

function wordsOf(bytes: Uint8Array): Int32Array {
  const view = Buffer.from(bytes);
  return Int32Array.from({ length: view.length / 4 }, (_, i) => view.readInt32BE(i * 4));
}

/** Base64 with bcrypt's own alphabet and without padding. */
function encode(bytes: Uint8Array): string {
  const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const text = Buffer.from(bytes).toString('base64').replaceAll('=', '');
  return Array.from(text, (letter) => alphabet[standard.indexOf(letter)]).join('');
}
