import { describe, expect, it } from 'vitest';
import { parseDuration, ProgramFlags } from './program-flags.ts';

describe('ProgramFlags', () => {
  it('When flags come in every form Go takes, it should read them alike', () => {
    const flags = new ProgramFlags([
      'run',
      '--a=1',
      '--b',
      '2',
      '-c=3',
      '--on',
      '--list=x,y',
      '--list',
      'z',
      '--empty=',
    ]);
    expect(flags.words).toEqual(['run']);
    expect(['a', 'b', 'c', 'on', 'empty'].map((name) => flags.text(name))).toEqual(['1', '2', '3', 'true', undefined]);
    expect(flags.list('list')).toEqual(['x', 'y', 'z']);
    expect(flags.boolean('on')).toBe(true);
    expect(flags.boolean('absent', true)).toBe(true);
  });

  it('When a switch stands before a word, it should leave the word alone', () => {
    const flags = new ProgramFlags(['--client-cert-auth', 'word'], new Set(['client-cert-auth']));
    expect(flags.boolean('client-cert-auth')).toBe(true);
    expect(flags.words).toEqual(['word']);
  });

  it('When a number is none, it should name the flag', () => {
    expect(() => new ProgramFlags(['--port=x']).number('port')).toThrow('--port');
  });

  it.each([
    ['1h30m', 5_400_000],
    ['100ms', 100],
    ['1.5s', 1500],
    ['0', 0],
  ])('When a duration is %s, it should be %d ms', (text, ms) => expect(parseDuration(text, '--x')).toBe(ms));

  it.each(['', '5', '1d', 'h', '-1s', '1s '])('When a duration is %j, it should be refused', (text) => {
    expect(() => parseDuration(text, '--x')).toThrow('--x');
  });
});
