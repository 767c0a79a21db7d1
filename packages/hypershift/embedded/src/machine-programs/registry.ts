import { BuiltinRegistry, type RuntimeOptions } from '@hypershift-ts/kube-kubelet';
import { bySubcommand, type ProcessDirectory } from '@hypershift-ts/kube-programs';
import type { Resolve, SimulatedMachine } from '@hypershift-ts/machines-providers';
import { konnectivityPrograms } from '../programs/konnectivity.ts';
import { connectionCheckerProgram, machineClient } from './connection-checker.ts';
import { hello } from './hello.ts';

/** Programs of this machine that may be run in the containers of builtin programs, to look around. */
const exec = ['sh', 'ls', 'cat', 'env', 'echo', 'date', 'hostname', 'id', 'pwd'] as const;

/** What simulated machines run for real; every other container on them is simulated. */
export function machineRuntimes(
  directory: ProcessDirectory,
  resolve: Resolve,
  konnectivity = konnectivityPrograms(),
): (machine: SimulatedMachine) => RuntimeOptions {
  const proxyAgent = konnectivity.machineProxyAgent(resolve);
  return (machine) => ({
    builtin: new BuiltinRegistry()
      .register({ name: 'konnectivity-agent', commands: ['proxy-agent'], run: proxyAgent })
      .register({
        name: 'kas-connection-checker',
        commands: ['control-plane-operator'],
        run: bySubcommand({
          'kas-connection-checker': connectionCheckerProgram(machineClient(machine, directory, resolve)),
        }),
      })
      .register({ name: 'hello', images: ['hello'], withoutCommand: true, run: hello }),
    exec: { programs: Object.fromEntries(exec.map((name) => [name, name])) },
  });
}
