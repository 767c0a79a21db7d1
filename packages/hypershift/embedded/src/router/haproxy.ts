import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuiltinContext, type BuiltinProgram, portHere } from '@hypershift-ts/kube-kubelet';
import { ProgramFlags, programLog, stopped, watchFiles } from '@hypershift-ts/kube-programs';
import { parseRouterConfiguration } from './configuration.ts';
import { startRouter } from './router.ts';

/** `haproxy -f`: the routers of control planes, from the very configuration files the real one gets. */
export const haproxy: BuiltinProgram = async (context) => {
  const log = programLog(context);
  const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
  const place = context.path(flags.text('f') ?? '/usr/local/etc/haproxy');
  const read = async () => parseRouterConfiguration(await configurationText(place));
  const router = await startRouter(await read(), {
    address: context.podIP,
    resolve: ({ host, port }) => {
      const address = context.resolveService(host);
      return { host: address, port: address === host ? port : portHere(port) };
    },
    certificate: (file) => certificateOf(context, file),
    ca: (file) => readFile(context.path(file), 'utf8'),
  });
  const reload = async () => router.use(await read());
  const refused = (error: unknown) => log.warn({ error }, 'the new configuration is not taken');
  const files = watchFiles(
    [join(place, 'haproxy.cfg'), place],
    context.clock,
    () => void reload().catch(refused),
    refused,
  );
  try {
    await stopped(context.signal);
  } finally {
    files.close();
    await router.close();
  }
};

async function configurationText(place: string): Promise<string> {
  if (!(await stat(place)).isDirectory()) return readFile(place, 'utf8');
  const names = (await readdir(place)).filter((name) => name.endsWith('.cfg')).sort();
  return (await Promise.all(names.map((name) => readFile(join(place, name), 'utf8')))).join('\n');
}

/** HAProxy wants certificate and key in one file; where a shell would have joined them, the mounted pair is taken. */
async function certificateOf({ path, mounts }: BuiltinContext, file: string): Promise<string> {
  try {
    return await readFile(path(file), 'utf8');
  } catch (error) {
    for (const { mountPath } of mounts) {
      const pair = await Promise.all(
        ['tls.crt', 'tls.key'].map((name) => readFile(path(join(mountPath, name)), 'utf8')),
      ).catch(() => undefined);
      if (pair) return pair.join('\n');
    }
    throw error;
  }
}
