import { describe, expect, it } from 'vitest';
import { bcrypt } from './bcrypt.ts';

/** The salt of a hash, from its text. */
function saltOf(hash: string): Uint8Array {
  const own = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const text = Array.from(hash.slice(7, 29), (letter) => standard[own.indexOf(letter)]).join('');
  return Buffer.from(text, 'base64').subarray(0, 16);
}

describe('bcrypt', () => {
  it.each([
    ['abcdefghijklmnopqrstuvwxyz', '$2a$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC'],
    ['a', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
    ['abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
  ])('When the password is %j, it should give the published hash', (password, hash) => {
    expect(bcrypt(password, saltOf(hash), 6)).toBe(hash);
  });

  it('When the salt has the wrong size, it should say so', () => {
    expect(() => bcrypt('x', new Uint8Array(8))).toThrow('16 bytes');
  });
});
