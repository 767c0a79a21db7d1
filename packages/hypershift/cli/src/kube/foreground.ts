import { rm } from 'node:fs/promises';
import type { ProgramsRun, RealPrograms } from '@hypershift-ts/hypershift-embedded';
import { EmbeddedCluster, type EmbeddedClusterOptions, writeSecret } from '@hypershift-ts/kube-embedded';
import type { ProcessImage } from '@hypershift-ts/kube-kubelet';
import { errorDetail, UserError } from '../cli-error.ts';
import { type KubeOptions, kubeconfigPath } from './command.ts';
import { jsonLogger } from './json-logger.ts';
import { programsFor, rememberPrograms } from './real-programs.ts';
import { stateFile } from './state-file.ts';
import { untilStopped } from './stop-signals.ts';

/** Runs the cluster in this process until it is told to stop. */
export async function runForeground(options: KubeOptions): Promise<void> {
  const real = await programsFor(options);
  const running = await start(options, real);
  const { cluster } = running;
  await rememberPrograms(options.dataDir, real);
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
  await running.stop();
  await rm(stateFile(options.dataDir), { force: true });
  process.exit(0);
}

interface Running {
  readonly cluster: EmbeddedCluster;
  stop(): Promise<void>;
}

async function start(options: KubeOptions, real: RealPrograms): Promise<Running> {
  const settings = {
    dataDir: options.dataDir,
    securePort: options.securePort,
    bindAddress: options.bindAddress,
    ...(options.auditLogPath ? { auditLogPath: options.auditLogPath } : {}),
    logger: jsonLogger(),
    log: (message: string, error?: unknown) =>
      console.error(error === undefined ? message : `${message}: ${errorDetail(error)}`),
  };
  const images = [{ images: options.runImage, anyOnPath: true }];
  try {
    if (options.hypershiftPrograms !== 'none')
      return await startWithPrograms(settings, images, options.hypershiftPrograms, real);
    const nodes = [{ name: 'node-1', runtimes: { process: images } }];
    const cluster = await EmbeddedCluster.start({ ...settings, nodes });
    return { cluster, stop: () => cluster.stop() };
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

/** A cluster whose nodes know the programs of HyperShift; what is to run there is for `hypershift install`. */
async function startWithPrograms(
  settings: EmbeddedClusterOptions,
  images: readonly ProcessImage[],
  run: ProgramsRun,
  real: RealPrograms,
): Promise<Running> {
  const { ManagementCluster } = await import('@hypershift-ts/hypershift-embedded');
  const product = [process.execPath, process.argv[1]!];
  return ManagementCluster.start({
    ...settings,
    images,
    real,
    ...(run === 'builtin' ? {} : { processes: { run, product } }),
  });
}
