import { readSmallFile } from '@hypershift-ts/kube-client';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import { openEndpoint, selfSignedPair } from '../https-endpoint.ts';
import type { ProgramFlags } from '../program-flags.ts';
import { watchFiles } from '../watched-files.ts';

/** A report of a component's checks. */
export type Health = () => Promise<{ readonly ok: boolean; readonly text: string }>;

/** `--secure-port` of a component: /healthz, /livez and /readyz over HTTPS on the pod's address. */
export async function openHealthPort(
  context: BuiltinContext,
  flags: ProgramFlags,
  defaultPort: number,
  health: Health,
): Promise<() => Promise<void>> {
  const port = flags.number('secure-port') ?? defaultPort;
  if (port === 0) return async () => {};
  const bind = flags.text('bind-address');
  const certificateFile = flags.text('tls-cert-file');
  const keyFile = flags.text('tls-private-key-file');
  const files = certificateFile && keyFile ? [context.path(certificateFile), context.path(keyFile)] : [];
  const pair = async () => {
    const [certificate, key] = files;
    if (!certificate || !key) return selfSignedPair(context.clock.now());
    return { certificate: await readSmallFile(certificate), key: await readSmallFile(key) };
  };
  const endpoint = await openEndpoint({
    address: !bind || ['0.0.0.0', '::', '127.0.0.1', 'localhost'].includes(bind) ? context.podIP : bind,
    port,
    tls: await pair(),
    program: context,
    answer: async (path) => {
      if (!/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return undefined;
      const { ok, text } = await health();
      return { status: ok ? 200 : 500, body: ok ? 'ok' : text };
    },
  });
  const reload = async () => {
    // Half-written files: the next change brings the rest.
    const renewed = await pair().catch(() => undefined);
    if (renewed) endpoint.reload(renewed);
  };
  const watching = watchFiles(
    files,
    context.clock,
    () => void reload(),
    () => {},
  );
  return async () => {
    watching.close();
    await endpoint.close();
  };
}
