import { describe, expect, it } from 'vitest';
import { priorityClasses } from './priority-classes.ts';

describe('priorityClasses', () => {
  it('When kubectl applies them after install, it should find no field that a server stores as nothing', () => {
    for (const one of priorityClasses()) expect(one).not.toHaveProperty('globalDefault');
  });
});
