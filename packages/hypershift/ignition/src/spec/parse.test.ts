import { describe, expect, it } from 'vitest';
import { decodeDataUrl } from './data-url.ts';
import type { IgnitionConfig } from './ignition-config.ts';
import { parseIgnition, parseIgnitionText } from './parse.ts';
import { writeIgnition } from './write.ts';

const v3 = { ignition: { version: '3.2.0' } };
const withFile = (file: object) => ({ ...v3, storage: { files: [{ path: '/a', ...file }] } });
const withUnit = (unit: object) => ({ ...v3, systemd: { units: [{ name: 'a.service', ...unit }] } });

describe('parseIgnition', () => {
  it.each([
    [withFile({ path: '' }), 'storage.files.0.path: path not specified'],
    [withFile({ path: '/a/../b' }), 'path is not fully simplified'],
    [withFile({ mode: 0o10000 }), 'illegal file mode'],
    [withFile({ mode: '0644' }), 'storage.files.0.mode: expected integer, found string'],
    [withFile({ overwrite: true }), 'overwrite must be false if source is unspecified'],
    [withFile({ contents: { source: 'ftp://x' } }), 'invalid url scheme'],
    [withFile({ contents: { source: 'data:;base64,!' } }), 'illegal base64 data'],
    [withFile({ contents: { source: 'data:,a', compression: 'zip' } }), 'invalid compression method'],
    [withFile({ contents: { source: 'data:,a', verification: { hash: 'md5-1' } } }), 'unrecognized hash function'],
    [withFile({ user: { id: 1, name: 'core' } }), 'cannot set both id and name'],
    [{ ...v3, storage: { files: [{ path: '/a' }], directories: [{ path: '/a' }] } }, 'duplicate entry defined'],
    [
      { ...v3, storage: { files: [{ path: '/l/a' }], links: [{ path: '/l', target: '/t' }] } },
      'file path includes link in config',
    ],
    [withUnit({ name: 'a.txt' }), 'invalid systemd unit extension'],
    [withUnit({ contents: '[Unit\n' }), 'unable to find end of section'],
    [withUnit({ dropins: [{ name: 'x' }] }), 'invalid systemd drop-in extension'],
    [{ ignition: { version: '3.2.0', config: { merge: [{}] } } }, 'source is required'],
    [{ ignition: { version: '3.2.0', proxy: { httpProxy: 'socks://x' } } }, 'proxies must be http(s)'],
    [[], 'not a config (empty)'],
    [{}, 'invalid version'],
    [{ ignition: { version: '3.9.0' } }, 'unknown version'],
  ])('When the config is %j, it should be refused with place and reason', (config, message) => {
    expect(() => parseIgnition(config)).toThrow(message);
  });

  it('When a member is named __proto__, it should be ignored like any unknown key', () => {
    const { config, warnings } = parseIgnitionText('{"ignition":{"version":"3.2.0","__proto__":{"polluted":true}}}');
    expect(warnings.map(({ path }) => path)).toEqual(['ignition.__proto__']);
    expect(({} as { polluted?: boolean }).polluted ?? config.ignition).toEqual({ version: '3.5.0' });
  });

  it('When the text is not JSON, it should say so', () => {
    expect(() => parseIgnitionText('{')).toThrow('config is not valid');
  });

  it('When the config is of version 2.2, it should be converted', () => {
    const { config } = parseIgnition({
      ignition: { version: '2.2.0' },
      storage: {
        files: [
          { filesystem: 'root', path: '/a', mode: 420, contents: { source: 'data:,old' } },
          { filesystem: 'root', path: '/a', mode: 420, contents: { source: 'data:,new' } },
          { filesystem: 'root', path: '/b', append: true, contents: { source: 'data:,more' } },
        ],
      },
      systemd: { units: [{ name: 'a.service', enable: true }] },
    });
    expect(config.storage?.files).toEqual([
      { path: '/a', mode: 420, overwrite: true, contents: { source: 'data:,new' } },
      { path: '/b', append: [{ source: 'data:,more' }] },
    ]);
    expect(config.systemd?.units).toEqual([{ name: 'a.service', enabled: true }]);
  });

  it.each([
    { networkd: { units: [{ name: 'x' }] } },
    { storage: { disks: [{ device: '/dev/a' }] } },
    { storage: { files: [{ filesystem: 'data', path: '/a' }] } },
  ])('When a version 2.2 config holds %j, it should be refused rather than lost', (part) => {
    expect(() => parseIgnition({ ignition: { version: '2.2.0' }, ...part })).toThrow('cannot be converted');
  });
});

describe('writeIgnition', () => {
  it('When members come in another order, it should write the same bytes', () => {
    const one: IgnitionConfig = { storage: { files: [{ path: '/a', mode: 1 }] }, ignition: { version: '3.5.0' } };
    const two: IgnitionConfig = { ignition: { version: '3.5.0' }, storage: { files: [{ mode: 1, path: '/a' }] } };
    expect(writeIgnition(one, 2)).toBe(writeIgnition(two, 2));
  });

  it('When the config needs a newer version, it should name the field', () => {
    const config: IgnitionConfig = { ignition: { version: '3.5.0' }, kernelArguments: { shouldExist: ['x'] } };
    expect(() => writeIgnition(config, 2)).toThrow('kernelArguments needs Ignition 3.3.0');
  });
});

describe('decodeDataUrl', () => {
  it.each([
    ['data:,a%20b', 'a b'],
    ['data:text/plain;charset=utf-8;base64,aGk=', 'hi'],
    ['data:,', ''],
  ])('When the URL is %s, it should hold %j', (url, text) => {
    expect(decodeDataUrl(url).toString()).toBe(text);
  });
});
