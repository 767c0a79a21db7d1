import { basename, join } from 'node:path';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinRegistry, ProgramProcesses } from '@hypershift-ts/kube-kubelet';

/**
 * How the programs of HyperShift run on the nodes of a management cluster: all inside its process, the operators as
 * processes of their own, or everything.
 */
export type ProgramsRun = 'builtin' | 'operators' | 'process';

const operators = new Set([
  'hypershift',
  'hypershift-operator',
  'control-plane-pki-operator',
  'cluster-version-operator',
  'cluster-autoscaler',
  'machine-approver',
  'cluster-api',
  'capi-provider',
]);
const operatorSubcommands = new Set(['run', 'hosted-cluster-config-operator', 'ignition-server']);

/** Whether a container is an operator rather than a part of a control plane or a helper beside one. */
function isOperator(name: string, { command = [], args = [] }: corev1.Container): boolean {
  if (name !== 'control-plane-operator') return operators.has(name);
  return operatorSubcommands.has([...command, ...args][1] ?? '');
}

const waiting = new Set(['availability-prober', 'resolve-dns', 'kas-readiness-check']);

/** Most pods begin by waiting for something; starting a process for that would cost more than all of the waiting. */
function onlyWaits(name: string, { command = [], args = [] }: corev1.Container): boolean {
  return waiting.has(name === 'control-plane-operator' ? ([...command, ...args][1] ?? '') : name);
}

/** An etcd or an API server, by the command or by an image that leaves the command to itself. */
function isOfStore(name: string, { command = [], args = [] }: corev1.Container): boolean {
  const called = name === 'hyperkube' ? ([...command, ...args][1] ?? '') : name;
  return called === 'etcd' || called === 'kube-apiserver';
}

/**
 * The command line of this product that is a container's program, without the container's own arguments: `/usr/bin/hyperkube`
 * becomes `hypershift hyperkube`. Undefined when it is not to run as a process.
 */
export function programWords(
  registry: BuiltinRegistry,
  run: ProgramsRun,
  product: readonly string[],
): (container: corev1.Container) => readonly string[] | undefined {
  // A builtin etcd serves API servers of its own process only; with a real one instead, both are free.
  const sharesStore = registry.find({ name: 'etcd', command: ['etcd'] }) !== undefined;
  const isChosen = (name: string, container: corev1.Container) =>
    run === 'operators'
      ? isOperator(name, container)
      : !onlyWaits(name, container) && !(sharesStore && isOfStore(name, container));
  return (container) => {
    const entry = registry.find(container);
    if (!entry || run === 'builtin' || !isChosen(entry.name, container)) return undefined;
    const called = entry.commands && container.command?.[0] ? basename(container.command[0]) : entry.name;
    return called === 'hypershift' ? product : [...product, called];
  };
}

/** Variables by which a management cluster of ours tells its processes what no DNS and no disk of theirs would. */
export const routesVariable = 'HYPERSHIFT_ROUTES';
export const cloudVariable = 'HYPERSHIFT_CLOUD_DIR';

/** What the nodes of a management cluster run as processes; `place` is where it keeps its state. */
export function programProcesses(
  registry: BuiltinRegistry,
  { run, product }: { readonly run: ProgramsRun; readonly product: readonly string[] },
  place: string,
): ProgramProcesses {
  return {
    words: programWords(registry, run, product),
    env: { [routesVariable]: join(place, 'routes.json'), [cloudVariable]: join(place, 'cloud') },
  };
}
