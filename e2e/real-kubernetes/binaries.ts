import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of Kubernetes on this machine: where a variable says, or on PATH. */
function programOf(name: string): string | undefined {
  const variable = `HYPERSHIFT_${name.toUpperCase().replaceAll('-', '_')}`;
  const named = process.env[variable];
  if (named) {
    if (!existsSync(named)) throw new Error(`${variable} names ${named}, which does not exist`);
    return named;
  }
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

/** What a real management cluster is made of; controllers and scheduler may be ours when theirs are not there. */
export interface RealPrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager?: string;
  readonly scheduler?: string;
}

/** The programs that are there; undefined, and loudly so, when it is not enough for an API server. */
export function findRealPrograms(): RealPrograms | undefined {
  const etcd = programOf('etcd');
  const apiServer = programOf('kube-apiserver');
  if (!etcd || !apiServer) {
    const missing = [...(apiServer ? [] : ['kube-apiserver (HYPERSHIFT_KUBE_APISERVER)']), ...(etcd ? [] : ['etcd'])];
    process.stderr.write(`SKIPPED: real Kubernetes, for lack of ${missing.join(' and ')} on PATH\n`);
    return undefined;
  }
  const controllerManager = programOf('kube-controller-manager');
  const scheduler = programOf('kube-scheduler');
  return {
    etcd,
    apiServer,
    ...(controllerManager ? { controllerManager } : {}),
    ...(scheduler ? { scheduler } : {}),
  };
}
