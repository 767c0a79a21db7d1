import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ageOf, ownName, table, terminalOf, yamlDocuments } from './index.ts';

function stream(isTTY: boolean) {
  const parts: string[] = [];
  return { isTTY, columns: 20, write: (text: string) => parts.push(text), text: () => parts.join('') };
}

describe('terminalOf', () => {
  it('When nobody looks, it should write plain lines', () => {
    const [out, err] = [stream(false), stream(false)];
    const terminal = terminalOf(out, err, {});
    terminal.progress('a');
    terminal.progress('b');
    terminal.print(terminal.colors.red('c'));
    expect([out.text(), err.text()]).toEqual(['c\n', 'a\nb\n']);
  });

  it('When somebody looks, progress should be one line that makes room for results', () => {
    const err = stream(true);
    const terminal = terminalOf(stream(true), err, {});
    terminal.progress('a very long line that does not fit');
    terminal.note('done');
    expect(err.text()).toBe('\r\u001b[2K\u001b[2ma very long line t…\u001b[22m\r\u001b[2Kdone\n');
  });

  it('When NO_COLOR is set, it should paint nothing', () => {
    expect(terminalOf(stream(true), stream(true), { NO_COLOR: '1' }).colors.red('x')).toBe('x');
  });
});

describe('ageOf', () => {
  it.each([
    [30, '30s'],
    [600, '10m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [30 * 3600, '30h'],
    [72 * 3600, '3d'],
  ])('When %i seconds have passed, it should say %s', (seconds, text) => {
    expect(ageOf('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:00Z') + seconds * 1000)).toBe(text);
  });
});

describe('table', () => {
  it('When cells differ in width, it should align all columns but the last', () => {
    expect(
      table(
        ['A', 'B'],
        [
          ['long', 'x'],
          ['s', ''],
        ],
      ),
    ).toBe('A     B\nlong  x\ns');
  });
});

describe('yamlDocuments', () => {
  it('When the same value occurs twice, it should be written twice', () => {
    const shared = { a: 1 };
    expect(yamlDocuments([{ x: shared, y: shared }])).toBe('x:\n  a: 1\n"y":\n  a: 1\n---\n');
  });
});

describe('ownName', () => {
  it('When the program is on PATH, its name should do', () => {
    expect(ownName(['node', '/x/bin/hypershift'], { PATH: '/nowhere' })).toBe('/x/bin/hypershift');
    expect(ownName(['node', join(process.cwd(), 'bin/hypershift')], { PATH: '/nowhere' })).toBe('bin/hypershift');
    expect(ownName(['node', '/x/main.ts'], { PATH: '/nowhere' })).toBe('hypershift');
  });
});
