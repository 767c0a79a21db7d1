import { describe, expect, it } from 'vitest';
import { hyperfleet } from './hyperfleet.ts';

async function run(...args: string[]) {
  let [out, err] = ['', ''];
  const code = await hyperfleet(args, {
    env: {},
    version: '1.2.3',
    out: (text) => (out += text),
    err: (text) => (err += text),
    signal: new AbortController().signal,
  });
  return { code, out, err };
}

describe('hyperfleet', () => {
  it('When it is called without anything, it should list the services', async () => {
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toContain('maestro          carries works to clusters far away');
  });

  it.each(['api', 'sentinel', 'adapter', 'maestro'])(
    'When %s is called without a command, it should list its commands',
    async (service) => {
      const { code, err } = await run(service);
      expect(code).toBe(0);
      expect(err).toContain('commands:');
    },
  );

  it('When a service is unknown, it should say so and list those that are', async () => {
    const { code, err } = await run('mestro');
    expect(code).toBe(2);
    expect(err).toContain('there is no service "mestro"');
    expect(err).toContain('  maestro ');
  });

  it('When plain connections would leave the machine, it should say what is needed', async () => {
    const { code, err } = await run('maestro', 'server', '--server-hostname', '0.0.0.0');
    expect(code).toBe(1);
    expect(err).toContain('give --grpc-tls-cert-file and --grpc-tls-key-file, or --insecure');
  });

  it('When a flag is unknown, it should name it', async () => {
    expect((await run('maestro', 'agent', '--consumer', 'c1')).err).toBe(
      'maestro agent: unknown argument --consumer\n',
    );
    expect((await run('maestro', 'agent')).err).toBe('maestro agent: --consumer-name and --server are needed\n');
  });
});
