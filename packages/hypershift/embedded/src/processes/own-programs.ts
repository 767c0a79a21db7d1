import { join } from 'node:path';
import { createReleaseProvider } from '@hypershift-ts/hypershift-release';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinContext, BuiltinProgram, BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import { generateKeys } from '@hypershift-ts/kube-pki';
import { ProcessDirectory, programLog } from '@hypershift-ts/kube-programs';
import { type Place, processConnections, SimulatedCloud } from '@hypershift-ts/machines-providers';
import { embeddedOperatingSystem } from '../machine-programs/operating-system.ts';
import { machineRuntimes } from '../machine-programs/registry.ts';
import { productPrograms } from '../programs/registry.ts';
import { cloudVariable, routesVariable } from './program-words.ts';
import { resolveBy } from './routes-file.ts';

/** The program of a context, for a process that runs nothing else. */
export function ownProgram(context: BuiltinContext): BuiltinProgram | undefined {
  const { env } = context;
  const directory = new ProcessDirectory();
  const releases = createReleaseProvider();
  const routes = env[routesVariable];
  const resolve = routes ? resolveBy(routes) : (place: Place) => place;
  let cloud: SimulatedCloud | undefined;
  const ownCloud = () => {
    cloud ??= new SimulatedCloud({
      operatingSystem: embeddedOperatingSystem,
      dataDir: cloudDirectory(context),
      connections: processConnections({ directory, clock: systemClock, resolve }),
      resolve,
      runtimes: machineRuntimes(directory, resolve),
      clock: systemClock,
      logger: programLog(context, { part: 'simulated-cloud' }),
    });
    return cloud;
  };
  const registry: BuiltinRegistry = productPrograms({
    directory,
    releases,
    keys: generateKeys,
    resolve,
    cloud: ownCloud,
    // Only a management cluster of ours, whose clouds are simulated, tells its processes about routes.
    callsClouds: routes !== undefined,
  });
  const entry = registry.find({ ...context.container, ...(context.command ? { command: [...context.command] } : {}) });
  if (!entry) return undefined;
  return async (given) => {
    try {
      return await entry.run(given);
    } finally {
      await cloud?.close();
      await releases.close();
    }
  };
}

/** Machines keep their disks when their provider is started again, and clusters do not share machines. */
function cloudDirectory({ env, pod, path }: BuiltinContext): string {
  const shared = env[cloudVariable];
  return shared ? join(shared, pod.metadata.namespace ?? '') : path('/var/lib/hypershift/cloud');
}
