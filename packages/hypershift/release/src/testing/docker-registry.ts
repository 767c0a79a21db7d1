import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const binary = '/usr/bin/docker-registry';
let attempted = false;

/** Whether Debian's docker-registry can be run here. As root it is installed once, within a minute; else it must be there. */
export function hasDockerRegistry(): boolean {
  if (!existsSync(binary) && !attempted && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    attempted = true;
    spawnSync('/usr/bin/apt-get', ['install', '-y', '--no-install-recommends', 'docker-registry'], {
      timeout: 60_000,
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const found = existsSync(binary);
  if (!found) process.stderr.write('SKIPPED: docker-registry is not installed, registry tests do not run\n');
  return found;
}

export interface RegistrySetup {
  /** Several registries may share what was pushed. */
  readonly storage: string;
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly htpasswdFile?: string;
  readonly token?: { readonly realm: string; readonly issuer: string; readonly rootCertFile: string };
}

export interface RunningRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly origin: string;
  stop(): Promise<void>;
}

export function registryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'registry-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a real registry on loopback and waits until it answers. */
export async function startRegistry(setup: RegistrySetup): Promise<RunningRegistry> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const origin = `${setup.tls ? 'https' : 'http'}://${host}`;
  const config = {
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: setup.storage }, cache: { blobdescriptor: 'inmemory' } },
    http: { addr: host, ...(setup.tls ? { tls: { certificate: setup.tls.certFile, key: setup.tls.keyFile } } : {}) },
    ...(setup.htpasswdFile ? { auth: { htpasswd: { realm: 'test', path: setup.htpasswdFile } } } : {}),
    ...(setup.token
      ? {
          auth: {
            token: {
              realm: setup.token.realm,
              service: 'test-registry',
              issuer: setup.token.issuer,
              rootcertbundle: setup.token.rootCertFile,
            },
          },
        }
      : {}),
  };
  const folder = registryFolder();
  const file = join(folder.path, 'config.yml');
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(binary, ['serve', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said = `${said}${piece.toString()}`.slice(-4000);
  });
  try {
    await untilListening(port, child, () => said);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    host,
    origin,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await gone;
      }
      folder.remove();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilListening(port: number, child: ChildProcess, words: () => string): Promise<void> {
  const { connect } = await import('node:net');
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`docker-registry ended: ${words()}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`docker-registry does not listen on port ${port}: ${words()}`);
}
