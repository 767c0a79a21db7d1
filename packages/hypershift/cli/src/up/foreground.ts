import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ManagementCluster } from '@hypershift-ts/hypershift-embedded';
import { writeSecret } from '@hypershift-ts/kube-embedded';
import { cliError, errorDetail, exitCodes } from '../cli-error.ts';
import { install, installDefaults } from '../install/index.ts';
import { jsonLogger } from '../kube/json-logger.ts';
import { realPrograms, rememberPrograms } from '../kube/real-programs.ts';
import { stateFile } from '../kube/state-file.ts';
import { untilStopped } from '../kube/stop-signals.ts';
import { productVersion } from '../version/version.ts';
import type { UpOptions } from './command.ts';

/** The management cluster with HyperShift installed, in this process, until it is told to stop. */
export async function runManagementCluster(options: UpOptions): Promise<void> {
  try {
    await serve(options);
  } catch (error) {
    // What has started already would keep this process alive without anybody to use it.
    console.error(cliError(error));
    process.exit(exitCodes.failed);
  }
}

async function serve(options: UpOptions): Promise<void> {
  const { dataDir, securePort, auditLogPath } = options;
  const real = await realPrograms(dataDir, options);
  const management = await ManagementCluster.start({
    dataDir,
    name: 'management',
    securePort,
    real,
    ...(auditLogPath ? { auditLogPath } : {}),
    logger: jsonLogger(),
    log: (message, error) => console.error(error === undefined ? message : `${message}: ${errorDetail(error)}`),
  });
  const { cluster } = management;
  await rememberPrograms(dataDir, real);
  const image = `registry.hypershift-ts.io/hypershift-ts:${productVersion}`;
  // Some platforms are a preview upstream; a cluster for trying things out has them all.
  await install(
    { ...installDefaults, image, featureSet: 'TechPreviewNoUpgrade' },
    { client: cluster.client(undefined, 'hypershift-install') },
  );
  const kubeconfig = join(dataDir, 'kubeconfig');
  await writeSecret(kubeconfig, cluster.adminKubeconfig());
  await writeSecret(stateFile(dataDir), JSON.stringify({ pid: process.pid, server: cluster.server, kubeconfig }));
  console.log(`The management cluster is ready at ${cluster.server}`);
  await untilStopped();
  console.log('stopping');
  await management.stop();
  await rm(stateFile(dataDir), { force: true });
  process.exit(0);
}
