import { describe, expect, it } from 'vitest';
import { checkOpenFiles, explained, openFileLimit } from './open-files.ts';

describe('open files', () => {
  it('When the limit leaves room for a machine, it should be allowed', () => {
    expect(() => checkOpenFiles(5000, 20_000)).not.toThrow();
    expect(() => checkOpenFiles(100_000, Number.POSITIVE_INFINITY)).not.toThrow();
  });

  it('When the limit is reached, it should be refused with the limit and the way out', () => {
    expect(() => checkOpenFiles(384, 1024)).toThrow(
      'this process may open 1024 files, enough for 384 machines; raise the limit (ulimit -n) and start it again',
    );
  });

  it('When the system is asked, it should name a number or no limit at all', async () => {
    expect(await openFileLimit()).toBeGreaterThan(0);
  });

  it('When an error says that files ran out, it should be told how to get more', () => {
    const error = Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' });
    expect(explained(error)).toContain('ulimit -n');
    expect(explained(new Error('something else'))).toBe('something else');
  });
});
