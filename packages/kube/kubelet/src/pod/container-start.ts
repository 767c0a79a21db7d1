import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  ContainerConfigError,
  containerEnvironment,
  expandedCommand,
  type PodObjects,
} from '../environment/environment.ts';
import type { PodFacts } from '../environment/field-values.ts';
import { serviceVariables } from '../environment/service-variables.ts';
import { ContainerLog } from '../logs/container-log.ts';
import type { NodeContext } from '../node/node-context.ts';
import type { ContainerLaunch } from '../runtime/container-runtime.ts';
import type { Mount } from '../runtime/mount-paths.ts';
import { VolumeError } from '../volumes/payload.ts';
import type { PodVolumes } from '../volumes/pod-volumes.ts';
import type { ContainerUnit } from './container-unit.ts';
import { runHook } from './lifecycle-hooks.ts';
import { containerDirectory, logFile } from './pod-directories.ts';
import { defaultTerminationPath } from './termination-message.ts';

/** postStart hooks have no limit of their own upstream; ours must not hold a pod for ever. */
const longestPostStartMs = 10 * 60 * 1000;

export interface StartScope {
  readonly node: NodeContext;
  readonly facts: PodFacts;
  readonly podDir: string;
  /** Absent when nothing of the pod needs files. */
  readonly volumes: PodVolumes | undefined;
  /** Aborts when the pod has to go. */
  readonly signal: AbortSignal;
}

/** Why a start led nowhere; the container waits and is tried again. */
export interface HeldBack {
  readonly reason: string;
  readonly message: string;
}

/** Starts a container; what holds it back is returned, what it does afterwards is its unit's matter. */
export async function startContainer(unit: ContainerUnit, scope: StartScope): Promise<HeldBack | undefined> {
  const { node, facts } = scope;
  const { runtime, container } = unit;
  if (!runtime)
    return { reason: 'ErrImagePull', message: `nothing on node ${node.nodeName} can run image "${container.image}"` };
  let launch: PreparedLaunch;
  try {
    launch = await prepareLaunch(unit, scope);
  } catch (error) {
    if (error instanceof ContainerConfigError || error instanceof VolumeError)
      return { reason: 'CreateContainerConfigError', message: error.message };
    return { reason: 'CreateContainerError', message: (error as Error).message };
  }
  if (scope.signal.aborted) return undefined;
  const adopted = unit.phase.kind === 'running' ? unit.phase : undefined;
  const attempt = adopted ? unit.restartCount : unit.nextRun();
  const containerId = adopted?.containerId || `hypershift-ts://${runtime.name}/${node.newContainerId()}`;
  try {
    const running = await runtime.start(launch.build(attempt));
    const startedMs = adopted?.startedMs ?? node.clock.now();
    unit.began(running, containerId, facts.podIP, launch.messageFile, startedMs);
  } catch (error) {
    unit.failedToStart('StartError', (error as Error).message, containerId);
    node.events.warning(facts.pod, 'Failed', `Error: ${(error as Error).message}`);
    return undefined;
  }
  if (!unit.isSimulated) node.events.normal(facts.pod, 'Started', `Container started: ${container.name}`);
  await postStart(unit, scope);
  unit.beginProbes();
  return undefined;
}

async function postStart(unit: ContainerUnit, { node, facts, signal }: StartScope): Promise<void> {
  const hook = unit.container.lifecycle?.postStart;
  const { running } = unit;
  if (!hook || !running) return;
  const target = { container: unit.container, podIP: facts.podIP, running, clock: node.clock };
  const failure = await runHook(hook, target, longestPostStartMs, signal);
  if (!failure) return;
  node.events.warning(facts.pod, 'FailedPostStartHook', `PostStartHook failed: ${failure}`);
  running.signal('SIGKILL');
}

interface PreparedLaunch {
  readonly messageFile: string | undefined;
  build(attempt: number): ContainerLaunch;
}

async function prepareLaunch(
  unit: ContainerUnit,
  { node, facts, podDir, volumes }: StartScope,
): Promise<PreparedLaunch> {
  const { container, role } = unit;
  const { pod } = facts;
  const namespace = pod.metadata.namespace ?? '';
  // Nobody reads the Service variables of a container that does not exist.
  const services = unit.isSimulated
    ? {}
    : serviceVariables(await node.services(namespace), namespace, pod.spec?.enableServiceLinks ?? true);
  const env = await containerEnvironment(container, facts, podObjects(node, namespace), services);
  const directory = containerDirectory(podDir, container.name);
  const mounts: Mount[] = [];
  let messageFile: string | undefined;
  if (!unit.isSimulated) {
    mounts.push(...((await volumes?.mountsOf(container, env)) ?? []));
    messageFile = join(directory, 'termination-log');
    const isNew = (await mkdir(directory, { recursive: true, mode: 0o755 })) !== undefined;
    if (!isNew) await rm(join(directory, 'root'), { recursive: true, force: true });
    await writeFile(messageFile, '', { mode: 0o666 });
    const mountPath = container.terminationMessagePath ?? defaultTerminationPath;
    mounts.push({ mountPath, hostPath: messageFile, readOnly: false });
  }
  const hostname = pod.spec?.hostname ?? pod.metadata.name ?? '';
  const { clock, hostIP, logLimits } = node;
  return {
    messageFile,
    build: (attempt) => ({
      pod,
      container,
      role,
      ...expandedCommand(container, env),
      env: { HOSTNAME: hostname, ...env },
      mounts,
      rootDir: join(directory, 'root'),
      podIP: facts.podIP,
      hostIP,
      clock,
      openLog: () =>
        new ContainerLog({ file: logFile(node.dataDir, pod, container.name, attempt), clock, limits: logLimits }),
    }),
  };
}

function podObjects(node: NodeContext, namespace: string): PodObjects {
  return {
    configMap: (name) => node.objects.get(corev1.configmaps, namespace, name),
    secret: (name) => node.objects.get(corev1.secrets, namespace, name),
  };
}
