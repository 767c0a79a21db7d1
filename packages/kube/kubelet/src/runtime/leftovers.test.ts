import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endLeftovers, processIdentity } from './leftovers.ts';

describe.skipIf(process.platform !== 'linux')('endLeftovers', () => {
  it('When a container outlived its kubelet, it should be ended; a stranger with the same number should not', async () => {
    const pods = await mkdtemp(join(tmpdir(), 'leftovers-'));
    const start = () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const ours = start();
    const stranger = start();
    await Promise.all([once(ours, 'spawn'), once(stranger, 'spawn')]);
    const note = async (container: string, text: string) => {
      await mkdir(join(pods, 'uid', 'containers', container), { recursive: true });
      await writeFile(join(pods, 'uid', 'containers', container, 'process'), text);
    };
    await note('ours', await processIdentity(ours.pid as number));
    await note('stranger', `${stranger.pid} 12345`);
    await note('broken', 'nonsense');
    const ended = once(ours, 'exit');
    expect(await endLeftovers(pods)).toBe(1);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(stranger.exitCode).toBeNull();
    stranger.kill('SIGKILL');
    expect(await readdir(join(pods, 'uid', 'containers', 'ours'))).toEqual([]);
    await rm(pods, { recursive: true });
  });
});
