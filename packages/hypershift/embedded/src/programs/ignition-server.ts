import { readFile } from 'node:fs/promises';
import { ClusterPayloadSource, runIgnition, workerImagesFrom } from '@hypershift-ts/hypershift-ignition';
import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  type ProcessDirectory,
  ProgramFlags,
  programLog,
  serviceAccountClient,
  stopped,
} from '@hypershift-ts/kube-programs';

const port = 9090;

/** `control-plane-operator ignition-server`: gives booting machines their configuration. */
export function ignitionServerProgram(directory: ProcessDirectory, releases: ReleaseProvider): BuiltinProgram {
  return async (context) => {
    const flags = new ProgramFlags([...(context.command ?? []).slice(2), ...context.args]);
    const file = (name: string) => readFile(context.path(flags.text(name) ?? ''), 'utf8');
    const namespace = context.env['MY_NAMESPACE'] ?? context.pod.metadata.namespace ?? '';
    const client = serviceAccountClient(context, directory, 'ignition-server');
    const imagesOf: ConstructorParameters<typeof ClusterPayloadSource>[0]['imagesOf'] = async (
      image,
      stream,
      signal,
    ) => {
      const secret = await client.get(corev1.secrets, { namespace, name: 'pull-secret' });
      const pullSecret = Buffer.from(secret.data?.['.dockerconfigjson'] ?? '', 'base64');
      return workerImagesFrom(releases, { pullSecret })(image, stream, signal);
    };
    const running = await runIgnition({
      client,
      namespace,
      source: new ClusterPayloadSource({ client, namespace, imagesOf }),
      host: context.podIP,
      port,
      metricsPort: 8080,
      certificate: { cert: await file('cert-file'), key: await file('key-file') },
      clock: context.clock,
      log: programLog(context),
    });
    // As the server answers its only path that needs no token, without the handshake of every probe.
    context.answerProbes(port, (path) => (path.split('?')[0] === '/healthz' ? 200 : 404));
    context.probeNow();
    try {
      await stopped(context.signal);
    } finally {
      await running.stop();
      await client.close();
    }
  };
}
