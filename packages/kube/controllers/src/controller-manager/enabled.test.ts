import { describe, expect, it } from 'vitest';
import { isEnabled, unknownNames } from './enabled.ts';

describe('isEnabled', () => {
  it.each([
    ['job-controller', ['*'], true],
    ['job-controller', ['*', '-job-controller'], false],
    ['job-controller', ['job-controller'], true],
    ['job-controller', ['deployment-controller'], false],
    ['job-controller', [], false],
  ])('When %s is asked for with %j, it should be %s', (name, list, expected) => {
    expect(isEnabled(name, list)).toBe(expected);
  });

  it('When a name is misspelt, it should be found', () => {
    expect(unknownNames(['*', '-jobs', 'job-controller'], ['job-controller'])).toEqual(['-jobs']);
  });
});
