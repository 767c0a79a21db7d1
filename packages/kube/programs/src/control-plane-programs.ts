import type { BuiltinEntry, BuiltinProgram, BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import { apiServerProgram } from './apiserver/apiserver-program.ts';
import { controllerManagerProgram } from './controllers/controller-manager-program.ts';
import { schedulerProgram } from './controllers/scheduler-program.ts';
import { ProcessDirectory } from './directory.ts';
import { etcdProgram } from './etcd/etcd-program.ts';
import { availabilityProber } from './small/availability-prober.ts';
import { cat, curl, readinessCheck, resolveDns, sleep } from './small/plain-commands.ts';
import { tail } from './small/tail.ts';
import { tokenMinter } from './small/token-minter.ts';

export interface ControlPlaneProgramsOptions {
  /** Shared by everything that should meet inside this process. Default: one of its own. */
  readonly directory?: ProcessDirectory;
  /** Left out here, so that another runtime of the node may run them. */
  readonly without?: readonly string[];
  /** More subcommands of `control-plane-operator`: operators that live on higher floors. */
  readonly subcommands?: Readonly<Record<string, BuiltinProgram>>;
  /** `sleep`, `cat`, `tail` and `curl` too; leave them out where host programs of these names may run. */
  readonly plainCommands?: boolean;
}

/** The entries of a node's BuiltinRegistry with which a hosted control plane runs inside this process. */
export function controlPlanePrograms(options: ControlPlaneProgramsOptions = {}): readonly BuiltinEntry[] {
  const { directory = new ProcessDirectory(), without = [] } = options;
  const small: Readonly<Record<string, BuiltinProgram>> = {
    'availability-prober': availabilityProber(directory),
    'token-minter': tokenMinter(directory),
    'resolve-dns': resolveDns,
    'kas-readiness-check': readinessCheck,
  };
  const plain = options.plainCommands ? { sleep, cat, tail, curl } : {};
  const programs: Readonly<Record<string, BuiltinProgram>> = {
    'kube-apiserver': apiServerProgram(directory),
    'kube-controller-manager': controllerManagerProgram(directory),
    'kube-scheduler': schedulerProgram(directory),
    etcd: etcdProgram(directory),
  };
  const wanted = Object.entries(programs).filter(([name]) => !without.includes(name));
  const components = Object.fromEntries(wanted.filter(([name]) => name !== 'etcd'));
  return [
    ...wanted.map(([name, run]) => ({ name, commands: [name], run })),
    { name: 'hyperkube', commands: ['hyperkube'], except: without, run: bySubcommand(components) },
    {
      name: 'control-plane-operator',
      commands: ['control-plane-operator'],
      run: bySubcommand({ ...small, ...options.subcommands }),
    },
    ...Object.entries({ ...small, ...plain }).map(([name, run]) => ({ name, commands: [name], run })),
    ...wanted.map(([name, run]) => ({ name, images: [name], withoutCommand: true, run })),
  ];
}

export function registerControlPlanePrograms(
  registry: BuiltinRegistry,
  options: ControlPlaneProgramsOptions = {},
): BuiltinRegistry {
  for (const entry of controlPlanePrograms(options)) registry.register(entry);
  return registry;
}

/** One program with many faces: the first word after its name decides. */
export function bySubcommand(programs: Readonly<Record<string, BuiltinProgram>>): BuiltinProgram {
  return async (context) => {
    const [name = ''] = [...(context.command ?? []).slice(1), ...context.args];
    const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
    if (program) return program(context);
    context.stderr.write(`unknown command ${JSON.stringify(name)}; known here: ${Object.keys(programs).join(', ')}\n`);
    return 127;
  };
}
