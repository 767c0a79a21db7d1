import { describe, expect, it } from 'vitest';
import { enabledControllers } from './controller-names.ts';

describe('enabledControllers', () => {
  it.each([
    [[], ['*'], []],
    [['*', '-ttl', '-bootstrapsigner', '-tokencleaner'], ['*'], ['ttl', 'bootstrapsigner', 'tokencleaner']],
    [['*', '-nodeipam', '-job-controller'], ['*', '-node-ipam-controller', '-job-controller'], []],
    [['deployment', 'unheard-of'], ['deployment-controller', 'unheard-of'], []],
  ])('When --controllers is %j, it should mean %j', (list, enabled, ignored) => {
    expect(enabledControllers(list)).toEqual({ enabled, ignored });
  });
});
