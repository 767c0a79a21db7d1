import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bootPlan } from './boot-plan.ts';
import { parseIgnitionDocument } from './ignition-document.ts';

const ignition = { version: '3.2.0' };
const plan = (parts: object) => bootPlan(parseIgnitionDocument(JSON.stringify({ ignition, ...parts }), 'config'));
const files = (...list: object[]) => plan({ storage: { files: list } });
const data = (text: string) => ({ source: `data:,${encodeURIComponent(text)}` });

describe('bootPlan', () => {
  it('When a file is deep, it should make its parents first and keep its mode', () => {
    const nodes = files({ path: '/etc/a/b.conf', mode: 0o600, contents: data('x = 1\n') });
    expect(nodes.map(({ kind, path }) => [kind, path])).toEqual([
      ['directory', '/etc'],
      ['directory', '/etc/a'],
      ['file', '/etc/a/b.conf'],
    ]);
    expect(nodes[2]).toMatchObject({ mode: 0o600, contents: Buffer.from('x = 1\n') });
  });

  it('When contents are compressed or appended, it should put them together', () => {
    const zipped = { source: `data:;base64,${gzipSync('one ').toString('base64')}`, compression: 'gzip' };
    const [, file] = files({ path: '/etc/x', contents: zipped, append: [data('two')] });
    expect(file).toMatchObject({ contents: Buffer.from('one two') });
  });

  it('When units come with drop-ins, it should write them where systemd looks', () => {
    const units = [
      {
        name: 'a.service',
        contents: '[Unit]\n',
        enabled: true,
        dropins: [{ name: '10-x.conf', contents: '[Service]\n' }],
      },
      { name: 'b.service', mask: true },
    ];
    const paths = plan({ systemd: { units } }).filter(({ kind }) => kind !== 'directory');
    expect(paths).toMatchObject([
      { path: '/etc/systemd/system-preset/20-ignition.preset', contents: Buffer.from('enable a.service\n') },
      { path: '/etc/systemd/system/a.service' },
      { path: '/etc/systemd/system/a.service.d/10-x.conf' },
      { kind: 'link', path: '/etc/systemd/system/b.service', target: '/dev/null' },
    ]);
  });

  it('When a link leads above the root, it should stay inside', () => {
    const [, link] = plan({ storage: { links: [{ path: '/etc/l', target: '../../../outside' }] } });
    expect(link).toMatchObject({ kind: 'link', target: '../outside' });
  });

  it.each([
    [{ path: '/etc/../../x' }, 'is not an absolute, plain path'],
    [{ path: 'etc/x' }, 'is not an absolute, plain path'],
    [{ path: '/etc/x\0y' }, 'is not an absolute, plain path'],
    [{ path: '/etc/x', mode: -1 }, 'is not a file mode'],
    [{ path: '/etc/x', contents: { source: 'http://example.com/x' } }, 'only data: URLs are supported'],
    [{ path: '/etc/x', contents: { source: 'data:,x', compression: 'xz' } }, 'compression "xz" is not supported'],
    [{ path: '/etc/x', contents: { ...data('x'), verification: { hash: 'sha256-00' } } }, 'does not have the hash'],
    [{ path: '/etc/x', contents: { source: 'data:;base64,AAAA', compression: 'gzip' } }, 'is not gzip'],
  ])('When a file is %j, it should be refused', (file, message) => {
    expect(() => files(file)).toThrow(message);
  });

  it('When a file lies below a link or another file, it should be refused', () => {
    expect(() => files({ path: '/etc/x' }, { path: '/etc/x/y' })).toThrow('which is a file');
    const links = [{ path: '/data', target: '/elsewhere' }];
    expect(() => plan({ storage: { links, files: [{ path: '/data/x' }] } })).toThrow('which is a link');
  });
});
