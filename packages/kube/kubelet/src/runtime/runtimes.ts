import { join } from 'node:path';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { type BuiltinRegistry, builtinRuntime } from './builtin-runtime.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import type { ClusterNames } from '../services/cluster-names.ts';
import type { HostCommands } from './host-commands.ts';
import { NamesFiles } from './names-files.ts';
import { type ProcessImage, processRuntime } from './process-runtime.ts';
import { type ProgramProcesses, programProcessRuntime } from './program-process-runtime.ts';
import { type SimulatedOptions, simulatedRuntime } from './simulated-runtime.ts';

/** What a node can run containers with. */
export interface RuntimeOptions {
  readonly builtin?: BuiltinRegistry;
  /** Builtin programs that are to run as processes; asked before the builtin ones. */
  readonly programProcesses?: ProgramProcesses;
  readonly process?: readonly ProcessImage[];
  /** False: images nothing can run fail as images that cannot be pulled. Default: they are simulated. */
  readonly simulated?: boolean | Omit<SimulatedOptions, 'clock'>;
  /** Host programs for exec and exec probes beside builtin programs. */
  readonly exec?: HostCommands;
  /** Further runtimes, asked first. */
  readonly others?: readonly ContainerRuntime[];
}

/** The runtimes in the order they are asked. */
export function runtimesFrom(
  options: RuntimeOptions,
  { clock, names, dataDir }: { readonly clock: Clock; readonly names: ClusterNames; readonly dataDir: string },
): readonly ContainerRuntime[] {
  const { builtin, programProcesses, process, simulated = true, exec, others = [] } = options;
  const resolveService = (name: string, namespace: string) => names.resolve(name, namespace);
  return [
    ...others,
    ...(programProcesses
      ? [programProcessRuntime(programProcesses, new NamesFiles(join(dataDir, 'names'), names), exec)]
      : []),
    ...(builtin ? [builtinRuntime({ registry: builtin, resolveService, ...(exec ? { exec } : {}) })] : []),
    ...(process ? [processRuntime(process, names)] : []),
    ...(simulated ? [simulatedRuntime({ ...(simulated === true ? {} : simulated), clock })] : []),
  ];
}
