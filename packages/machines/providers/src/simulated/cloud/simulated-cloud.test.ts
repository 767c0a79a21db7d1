import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InstanceRequest } from './instance.ts';
import { SimulatedCloud } from './simulated-cloud.ts';

let dataDir: string;
let clock: ManualClock;
const clouds: SimulatedCloud[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cloud-test-'));
  clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'));
});
afterEach(async () => {
  for (const cloud of clouds.splice(0)) await cloud.close();
  await rm(dataDir, { recursive: true, force: true });
});

const aCloud = (options: Partial<ConstructorParameters<typeof SimulatedCloud>[0]> = {}) => {
  const cloud = new SimulatedCloud({ dataDir, clock, ...options });
  clouds.push(cloud);
  return cloud;
};
const aRequest = (change: Partial<InstanceRequest> = {}): InstanceRequest => ({
  id: 'i-1',
  name: 'worker-1',
  instanceType: 'm6i.large',
  shape: { cpu: 2, memoryMiB: 8192 },
  userData: '{}',
  nodeName: (address) => `ip-${address}`,
  providerID: 'aws:///us-east-1a/i-1',
  ...change,
});

describe('SimulatedCloud', () => {
  it('When the same instance is asked for twice, it should be one, with an address of its own', async () => {
    const cloud = aCloud();
    const [one, two] = await Promise.all([cloud.ensure(aRequest()), cloud.ensure(aRequest())]);
    const other = await cloud.ensure(aRequest({ id: 'i-2' }));
    expect(one).toBe(two);
    expect(other.address).not.toBe(one.address);
    expect(one.nodeName).toBe(`ip-${one.address}`);
    expect(one.address).toMatch(/^127\.(3[2-9]|4[0-7])\./);
  });

  it('When making takes time, it should be pending until then', async () => {
    const cloud = aCloud({ latencies: { createMs: 30_000 } });
    const instance = await cloud.ensure(aRequest());
    expect(instance.state).toBe('pending');
    clock.advance(30_000);
    await vi.waitFor(() => expect(instance.state).toBe('running'));
  });

  it('When another cloud begins with the same directory, instances should be as they were', async () => {
    const first = aCloud();
    const before = await first.ensure(aRequest());
    await first.stop('i-1');
    await first.close();
    const after = await aCloud().ensure(aRequest({ userData: '' }));
    expect(after).toMatchObject({ state: 'stopped', address: before.address, nodeName: before.nodeName });
    expect(after.request.userData).toBe('{}');
  });

  it('When another cloud begins with the same directory, consoles should go on where they ended', async () => {
    const first = aCloud();
    const { machine } = await first.ensure(aRequest());
    for (let line = 1; line <= 1000; line++) machine.console.print(`line ${line} ${'x'.repeat(600)}`);
    await first.close();
    const file = join(dataDir, 'instances', 'i-1', 'console.log');
    const { mode, size } = await stat(file);
    expect({ others: mode & 0o077, isBounded: size <= 256 * 1024 }).toEqual({ others: 0, isBounded: true });
    const second = aCloud();
    const after = await second.ensure(aRequest());
    expect(after.machine.console.text()).toMatch(/ line 802 /);
    after.machine.console.print('again');
    await second.close();
    const lines = (await aCloud().ensure(aRequest())).machine.console.text().trimEnd().split('\n');
    expect(lines.slice(-2).map((line) => line.slice(21, 30))).toEqual(['line 1000', 'again']);
    expect(lines).toHaveLength(200);
  });

  it('When a console is written while machines run, one write should take what all printed', async () => {
    const cloud = aCloud();
    const { machine } = await cloud.ensure(aRequest());
    machine.console.print('one');
    machine.console.print('two');
    clock.advance(1000);
    const file = join(dataDir, 'instances', 'i-1', 'console.log');
    await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toMatch(/ one\n.* two\n$/));
  });

  it('When an instance ends, its disk should be gone and its address free', async () => {
    const cloud = aCloud();
    const instance = await cloud.ensure(aRequest());
    const seen: string[] = [];
    cloud.subscribe(({ state }) => seen.push(state));
    await cloud.terminate('i-1');
    await vi.waitFor(() => expect(seen).toEqual(['shutting-down', 'terminated']));
    await cloud.forget('i-1');
    expect(cloud.list()).toEqual([]);
    expect(await readdir(join(dataDir, 'instances'))).toEqual([]);
    expect((await cloud.ensure(aRequest({ id: 'i-3', address: instance.address }))).address).toBe(instance.address);
  });

  it('When a spot instance is taken back, it should get its notice and then end with the reason', async () => {
    const cloud = aCloud();
    const instance = await cloud.ensure(aRequest({ isSpot: true }));
    cloud.interrupt('i-1');
    expect(instance.state).toBe('running');
    expect(instance.machine.console.text()).toContain('spot interruption notice, 120 s left');
    clock.advance(120_000);
    await vi.waitFor(() => expect(instance.state).toBe('terminated'));
    expect(instance.reason).toContain('interrupted');
  });

  it('When faults are injected, they should meet only whom they are meant for', async () => {
    const cloud = aCloud();
    cloud.faults.inject({ kind: 'capacity', instanceType: 'm6i.large', times: 1 });
    await expect(cloud.ensure(aRequest())).rejects.toMatchObject({ isTransient: true });
    await cloud.ensure(aRequest());
    const healed = cloud.faults.inject({ kind: 'boot', namePrefix: 'bad-' });
    expect((await cloud.ensure(aRequest({ id: 'i-4', name: 'good-1' }))).machine.isBroken).toBe(false);
    const bad = await cloud.ensure(aRequest({ id: 'i-5', name: 'bad-1' }));
    await cloud.boot(bad.id);
    expect(bad.machine.state).toBe('failed');
    healed();
  });

  it('When an id could lead out of the directory, it should be refused', async () => {
    await expect(aCloud().ensure(aRequest({ id: '../other' }))).rejects.toThrow('cannot be the id of an instance');
  });

  it('When state is written, nobody else should be able to read it', async () => {
    await aCloud().ensure(aRequest());
    const { mode } = await stat(join(dataDir, 'instances', 'i-1', 'instance.json'));
    expect(mode & 0o077).toBe(0);
  });
});
