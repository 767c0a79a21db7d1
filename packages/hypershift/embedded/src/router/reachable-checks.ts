import { type NetworkChecks, networkChecks } from '@hypershift-ts/hypershift-control-plane';
import type { Resolve } from '@hypershift-ts/machines-providers';

/** Looks at published API servers as clients of this machine would, for which the shared router stands in for DNS. */
export function reachableChecks(resolve: Resolve): NetworkChecks {
  return {
    ...networkChecks,
    apiServerHealth(target, signal) {
      const place = resolve(target);
      return place === target || place.host === target.host
        ? networkChecks.apiServerHealth(target, signal)
        : networkChecks.apiServerHealth({ ...place, serverName: target.serverName ?? target.host }, signal);
    },
    resolves: async (hostname, signal) =>
      resolve({ host: hostname, port: 443 }).host === hostname ? networkChecks.resolves(hostname, signal) : undefined,
  };
}
