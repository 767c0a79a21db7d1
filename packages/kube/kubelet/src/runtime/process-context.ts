import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinContext } from './builtin-runtime.ts';
import { type ContainerDescription, descriptionVariable, namesFrom, readDescription } from './container-description.ts';
import { hostPathOf } from './mount-paths.ts';

/** A process of this machine, or of a container somewhere. */
export interface ProcessSurroundings {
  /** The program's name and the words of the command line, up to the first flag. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: BuiltinContext['stdout'];
  readonly stderr: BuiltinContext['stderr'];
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** What a builtin program gets when it is a process of its own: on a node of ours, in a real container, or in a shell. */
export function processContext(around: ProcessSurroundings): BuiltinContext {
  const file = around.env[descriptionVariable];
  return file ? onOurNode(around, readDescription(file)) : onItsOwn(around);
}

const nobodyAsks = { probeNow: () => {}, answerProbes: () => {} };

function onOurNode(around: ProcessSurroundings, description: ContainerDescription): BuiltinContext {
  const { mounts, rootDir, namesFile, pod, container, command, args, podIP, hostIP } = description;
  return {
    ...around,
    ...nobodyAsks,
    pod,
    container,
    command,
    args,
    mounts,
    podIP,
    hostIP,
    path: (path) => hostPathOf(path, mounts, rootDir),
    resolveService: namesFile ? namesFrom(namesFile) : (name) => name,
  };
}

/** Paths are paths and names are left to DNS, as for any program. */
function onItsOwn(around: ProcessSurroundings): BuiltinContext {
  const { env } = around;
  const namespace = env['POD_NAMESPACE'] ?? env['MY_NAMESPACE'] ?? env['NAMESPACE'] ?? namespaceOfAccount();
  const name = env['POD_NAME'] ?? env['MY_NAME'] ?? `${hostname()}-${process.pid}`;
  const container: corev1.Container = { name: around.command[0] ?? '', image: env['HYPERSHIFT_IMAGE'] ?? '' };
  return {
    ...around,
    ...nobodyAsks,
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, ...(namespace ? { namespace } : {}) },
      spec: { containers: [container] },
    },
    container,
    mounts: [],
    path: (path) => path,
    podIP: env['POD_IP'] || '0.0.0.0',
    hostIP: env['HOST_IP'] || '0.0.0.0',
    resolveService: (service) => service,
  };
}

function namespaceOfAccount(): string | undefined {
  try {
    return readFileSync(namespaceFile, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
