import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vectors } from '../testing/vectors.ts';
import { loadConfig } from './index.ts';

describe.each(['api/config.example.yaml', 'api/dev.yaml', 'api/integration-config.yaml'])(
  'Upstream file %s',
  (file) => {
    it.skipIf(!vectors.has(file))('When it is loaded, it should be accepted', () => {
      const config = loadConfig({ text: vectors.text(file) });
      expect(config.entities.map((entity) => entity.kind)).toContain('Cluster');
      expect(config.server.jwt.enabled).toBe(true);
      expect(config.server.jwt.configs[0]?.identity_claim).toBe('email');
    });
  },
);

describe('loadConfig', () => {
  it('When nothing is said, it should give the defaults and the embedded database', () => {
    const config = loadConfig({ text: '' });
    expect(config.server).toMatchObject({ host: 'localhost', port: 8000, timeouts: { read: 5000, write: 30_000 } });
    expect(config.database).toMatchObject({ dialect: 'pglite', port: 5432, pool: { conn_max_lifetime: 300_000 } });
    expect(config.metrics.reconciliation_stuck_threshold).toBe(600_000);
    expect(config.entities.map((entity) => entity.kind)).toContain('ManagementCluster');
  });

  it('When a setting comes from several places, flags should win over variables over the file', () => {
    const text = 'server: {port: 1, host: file}\ndatabase: {host: db, name: x}';
    const env = {
      HYPERFLEET_SERVER_PORT: '2',
      HYPERFLEET_SERVER_TIMEOUTS_READ: '7s',
      HYPERFLEET_TRACING_ENABLED: 'false',
    };
    const config = loadConfig({
      text,
      env,
      args: ['--server-port=3', '--log-level', 'debug', '--server-https-enabled'],
    });
    expect(config.server).toMatchObject({ port: 3, host: 'file', timeouts: { read: 7000 }, tls: { enabled: true } });
    expect(config.logging).toMatchObject({ level: 'debug', otel: { enabled: false } });
    expect(config.database).toMatchObject({ dialect: 'postgres', host: 'db', name: 'x' });
  });

  it('When a password is mounted as a file, it should be read without its line end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-config-'));
    const file = join(folder, 'password');
    writeFileSync(file, 's3cret\n');
    const config = loadConfig({ text: '', env: { HYPERFLEET_DATABASE_PASSWORD_FILE: file } });
    rmSync(folder, { recursive: true });
    expect(config.database).toMatchObject({ password: 's3cret', dialect: 'postgres' });
  });

  it.each([
    ['server: {prot: 1}', 'unknown key server.prot'],
    ['bogus: 1', 'unknown key bogus'],
    ['server: {port: high}', 'server.port must be a number from 0 to 65535'],
    ['server: {timeouts: {read: soon}}', 'server.timeouts.read must be a duration'],
    ['server: 1', 'server must be a section'],
    ['database: {dialect: mysql}', 'database.dialect must be one of postgres, pglite'],
    ['entities: [{kind: A, plurals: b}]', 'entities [0] has the unknown key "plurals"'],
    ['entities: [{kind: A}]', 'entities [0] needs the key "plural"'],
    ['entities: [{kind: A, conditions: [{type: X, when: 1}]}]', 'conditions: [0] when: must be an object'],
    ['[', 'not YAML'],
  ])('When the file says %s, it should be refused: %s', (text, problem) => {
    expect(() => loadConfig({ text })).toThrow(problem);
  });

  it.each([
    [['--bogus=1'], 'unknown argument --bogus=1'],
    [['--server-port'], '--server-port needs a value'],
    [['--server-port=x'], '--server-port must be a number'],
    [['serve'], 'unknown argument serve'],
    [['--config=/nowhere/config.yaml'], '/nowhere/config.yaml cannot be read'],
  ])('When the arguments are %j, it should be refused: %s', (args, problem) => {
    expect(() => loadConfig({ args })).toThrow(problem);
  });
});
