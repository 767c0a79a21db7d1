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
  const place = flags.text('f') ?? '/usr/local/etc/haproxy';
  const read = async () => parseRouterConfiguration(await configurationText(context, place));
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
    await configurationFiles(context, place),
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

async function configurationText(context: BuiltinContext, place: string): Promise<string> {
  const files = await configurationFiles(context, place);
  if (files.length === 0) throw new Error(`${place} holds no configuration`);
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

/** A file, or those of a directory in which some may be mounted one by one. */
async function configurationFiles({ path, mounts }: BuiltinContext, place: string): Promise<readonly string[]> {
  const folder = path(place);
  const found = await stat(folder).catch(() => undefined);
  if (found && !found.isDirectory()) return [folder];
  const names: readonly string[] = await readdir(folder).catch(() => []);
  const mounted = mounts.map(({ mountPath }) => mountPath).filter((mount) => mount.startsWith(`${place}/`));
  const files = new Set([...names.map((name) => join(folder, name)), ...mounted.map(path)]);
  return [...files].filter((file) => file.endsWith('.cfg')).sort((a, b) => (a < b ? -1 : 1));
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
