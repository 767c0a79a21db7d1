import { rm } from 'node:fs/promises';
import { EmbeddedCluster, writeSecret } from '@hypershift-ts/kube-embedded';
import { errorDetail, UserError } from '../cli-error.ts';
import { type KubeOptions, kubeconfigPath } from './command.ts';
import { jsonLogger } from './json-logger.ts';
import { stateFile } from './state-file.ts';
import { untilStopped } from './stop-signals.ts';

/** Runs the cluster in this process until it is told to stop. */
export async function runForeground(options: KubeOptions): Promise<void> {
  const cluster = await start(options);
  const kubeconfig = kubeconfigPath(options);
  await writeSecret(kubeconfig, cluster.adminKubeconfig());
  await writeSecret(
    stateFile(options.dataDir),
    JSON.stringify({ pid: process.pid, server: cluster.server, kubeconfig }),
  );
  console.log(`Kubernetes is ready at ${cluster.server}`);
  console.log(`  kubeconfig: ${kubeconfig}`);
  await untilStopped();
  console.log('stopping');
  await cluster.stop();
  await rm(stateFile(options.dataDir), { force: true });
  process.exit(0);
}

async function start(options: KubeOptions): Promise<EmbeddedCluster> {
  try {
    return await EmbeddedCluster.start({
      dataDir: options.dataDir,
      securePort: options.securePort,
      bindAddress: options.bindAddress,
      ...(options.auditLogPath ? { auditLogPath: options.auditLogPath } : {}),
      nodes: [{ name: 'node-1', runtimes: { process: [{ images: options.runImage, anyOnPath: true }] } }],
      logger: jsonLogger(),
      log: (message, error) => console.error(error === undefined ? message : `${message}: ${errorDetail(error)}`),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new UserError(
        `port ${options.securePort} on ${options.bindAddress} is in use by another program`,
        'Choose another with --secure-port, or leave it out to get a free one.',
        { cause: error },
      );
    throw error;
  }
}
