import { type ChildProcess, fork } from 'node:child_process';
import type { ClusterApi } from '../../../e2e/cluster-api/implementations.ts';
import { ourClusterApi } from '../../../e2e/cluster-api/implementations.ts';

/** Our controllers in a process of their own, over HTTPS as upstream's are. */
export function ourProcess(): ClusterApi {
  let child: ChildProcess | undefined;
  return {
    ...ourClusterApi,
    name: 'ours, own process',
    pid: () => child?.pid,
    start({ management, guest, namespace }) {
      const started = fork(new URL('cluster-api.js', import.meta.url));
      child = started;
      started.send({ management: management.adminKubeconfig(), hosted: guest.adminKubeconfig(), namespace });
      return Promise.resolve(async () => {
        const gone = new Promise((resolve) => started.once('exit', resolve));
        started.disconnect();
        await gone;
      });
    },
  };
}
