import { describe, expect, it } from 'vitest';
import { dataUrl } from '../spec/data-url.ts';
import { type MachineConfigSpec, workerMachineConfig } from './machine-config.ts';
import { machineConfigProblem, mergeMachineConfigs } from './merge.ts';

const images = { osImageURL: 'os@sha256:1', baseOSExtensionsContainerImage: 'extensions@sha256:2' };
const version = { ignition: { version: '3.2.0' } };
const aFile = (path: string, text: string, extra: object = {}) => ({
  config: { ...version, storage: { files: [{ path, contents: { source: dataUrl(text) }, ...extra }] } },
});
const merge = (...specs: [name: string, spec: MachineConfigSpec][]) =>
  mergeMachineConfigs(
    specs.map(([name, spec]) => workerMachineConfig(name, spec)),
    images,
  );

describe('mergeMachineConfigs', () => {
  it('When two configs hold the same file, the later name should win whatever the order given', () => {
    const merged = merge(['99-b', aFile('/etc/x', 'b')], ['00-a', aFile('/etc/x', 'a', { mode: 0o600 })]);
    expect(merged.ignition.storage?.files).toEqual([
      { path: '/etc/x', contents: { source: dataUrl('b') }, mode: 0o600, overwrite: true },
    ]);
  });

  it('When a compressed file is overridden by a plain one, it should not stay compressed', () => {
    const compressed = {
      config: {
        ...version,
        storage: { files: [{ path: '/x', contents: { source: 'data:,a', compression: 'gzip' } }] },
      },
    };
    const merged = merge(['1', compressed], ['2', aFile('/x', 'b')]);
    expect(merged.ignition.storage?.files?.[0]?.contents).toEqual({ source: dataUrl('b') });
  });

  it('When a file has no contents, it should not be told to overwrite, or the machine would not boot', () => {
    const merged = merge(['1', { config: { ...version, storage: { files: [{ path: '/x' }] } } }]);
    expect(merged.ignition.storage?.files).toEqual([{ path: '/x' }]);
  });

  it('When units share a name, it should merge them and their drop-ins', () => {
    const unit = (dropin: string, more: object = {}) => ({
      config: {
        ...version,
        systemd: {
          units: [{ name: 'a.service', dropins: [{ name: dropin, contents: `[Service]\nA=${dropin}\n` }], ...more }],
        },
      },
    });
    const [merged] =
      merge(['1', unit('1.conf', { enabled: true })], ['2', unit('2.conf')]).ignition.systemd?.units ?? [];
    expect(merged).toMatchObject({ enabled: true, dropins: [{ name: '1.conf' }, { name: '2.conf' }] });
  });

  it('When users share a name, it should unite their keys', () => {
    const user = (key: string) => ({
      config: { ...version, passwd: { users: [{ name: 'core', sshAuthorizedKeys: [key] }] } },
    });
    const merged = merge(['1', user('k1')], ['2', user('k2')], ['3', user('k1')]);
    expect(merged.ignition.passwd?.users).toEqual([{ name: 'core', sshAuthorizedKeys: ['k1', 'k2'] }]);
  });

  it('When configs ask for kernel things, it should add up arguments and let special wishes win', () => {
    const merged = merge(
      ['1', { kernelArguments: ['a', 'b'], kernelType: 'realtime', extensions: ['usbguard'] }],
      ['2', { kernelArguments: ['a'], kernelType: 'default', fips: true, extensions: ['sysstat'] }],
    );
    expect(merged).toMatchObject({
      kernelArguments: ['a', 'b', 'a'],
      kernelType: 'realtime',
      fips: true,
      extensions: ['usbguard', 'sysstat'],
      ...images,
    });
  });

  it('When a user chooses an OS image, it should win over the release; a generated config should not', () => {
    const generated = workerMachineConfig('00', { osImageURL: 'generated' });
    const annotations = { 'machineconfiguration.openshift.io/generated-by-controller-version': '1' };
    const configs = [
      { ...generated, metadata: { ...generated.metadata, annotations } },
      workerMachineConfig('50', { osImageURL: 'mine' }),
    ];
    expect(mergeMachineConfigs(configs, images).osImageURL).toBe('mine');
    expect(mergeMachineConfigs(configs.slice(0, 1), images).osImageURL).toBe(images.osImageURL);
  });

  it('When merged twice or in another order, it should be the same', () => {
    const parts: [string, MachineConfigSpec][] = [
      ['1', aFile('/a', '1')],
      ['2', aFile('/b', '2')],
      ['3', aFile('/a', '3')],
    ];
    const once = merge(...parts);
    expect(merge(...[...parts].reverse())).toEqual(once);
    expect(merge(...parts, ['4', aFile('/a', '3')])).toEqual(once);
  });

  it('When a field stands at the wrong depth, it should be reported as ignored', () => {
    const merged = merge(['50-x', { config: { ...version, storage: { files: [{ path: '/x', source: 'data:,a' }] } } }]);
    expect(merged.warnings).toEqual([
      { path: 'storage.files.0.source', message: 'unused key source', machineConfig: '50-x' },
    ]);
  });

  it.each([
    [{ kernelType: 'fast' }, 'kernelType=fast is invalid'],
    [{ extensions: ['vim', 'usbguard', 'x'] }, 'invalid extensions found: [vim x]'],
    [
      { config: { ignition: { version: '4.0.0' } } },
      'unknown version. Supported spec versions: 2.2,3.0,3.1,3.2,3.3,3.4,3.5',
    ],
    [{ config: { ignition: { version: 'x' } } }, 'invalid version. Supported spec versions'],
    [aFile('/etc/x', 'a', { mode: 0o4755 }), 'invalid mode 04755 for /etc/x, cannot exceed 0777'],
    [aFile('etc/x', 'a'), '$.storage.files.0.path: path not absolute'],
  ])('When a MachineConfig holds %j, it should be refused by name and reason', (spec, message) => {
    expect(machineConfigProblem(workerMachineConfig('50-bad', spec))).toContain(`MachineConfig 50-bad: `);
    expect(machineConfigProblem(workerMachineConfig('50-bad', spec))).toContain(message);
  });

  it('When kernel-devel is asked for with a special kernel, it should be refused', () => {
    expect(() => merge(['1', { extensions: ['kernel-devel'], kernelType: '64k-pages' }])).toThrow(
      'installing kernel-devel extension is not supported with kernelType: 64k-pages',
    );
  });
});
