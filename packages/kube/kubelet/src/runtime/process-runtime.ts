import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  type ContainerLaunch,
  type ContainerRuntime,
  type RunningContainer,
  type RunResult,
  StartError,
} from './container-runtime.ts';
import type { ClusterNames } from '../services/cluster-names.ts';
import { ClusterHosts, clusterNamesIn, withHosts } from './cluster-hosts.ts';
import { execOnHost, type HostCommands, hostEnvironment, hostProgramFor } from './host-commands.ts';
import { type HostProcess, startHostProcess } from './host-process.ts';
import { matchesImage } from './image-pattern.ts';
import { linkMounts } from './link-mounts.ts';
import { hostPathOf, rewritePaths } from './mount-paths.ts';
import { onPodAddress } from './pod-addresses.ts';
import { processIdentity } from './leftovers.ts';

/** An image that this machine can run without a container. */
export interface ProcessImage extends HostCommands {
  /** Patterns as in matchesImage(). */
  readonly images: readonly string[];
  /** What the image runs when the container names no command. */
  readonly entrypoint?: readonly string[];
  /** The image's own arguments, used when the container has neither command nor args. */
  readonly cmd?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The Services and pods its words name stand in an /etc/hosts of its own. Linux with user namespaces only. */
  readonly clusterNames?: boolean;
  /** URLs with localhost or every address in its words lead to its pod's address instead. */
  readonly podAddresses?: boolean;
  /** What the program of this machine is told instead of what the container's would be. */
  readonly arguments?: (args: readonly string[], podIP: string) => readonly string[];
}

/**
 * Runs containers as processes of this machine. There are no namespaces: the container's volumes are directories linked under
 * its own root (`HYPERSHIFT_ROOT`), and mount paths in arguments and environment values are rewritten to them.
 */
export function processRuntime(images: readonly ProcessImage[], names?: ClusterNames): ContainerRuntime {
  const imageOf = (container: corev1.Container) =>
    images.find((image) => image.images.some((pattern) => matchesImage(pattern, container.image ?? '')));
  return {
    name: 'process',
    accepts(container) {
      const image = imageOf(container);
      if (!image) return false;
      // Without a command or an entry point the first argument is the program, as with images that only have a CMD.
      const program = container.command?.[0] ?? image.entrypoint?.[0] ?? container.args?.[0] ?? image.cmd?.[0];
      return program !== undefined && hostProgramFor(program, withEntrypoint(image)) !== undefined;
    },
    async start(launch) {
      const image = imageOf(launch.container);
      if (!image) throw new StartError(`no program is configured for image ${launch.container.image}`);
      return startProcess(launch, image, image.clusterNames ? names : undefined);
    },
  };
}

/** An entry point that was configured may always run. */
function withEntrypoint(image: ProcessImage): HostCommands {
  const [program] = image.entrypoint ?? [];
  return program && !image.anyOnPath ? { programs: { [program]: program, ...image.programs } } : image;
}

async function startProcess(
  launch: ContainerLaunch,
  image: ProcessImage,
  names: ClusterNames | undefined,
): Promise<RunningContainer> {
  const { mounts, rootDir, container } = launch;
  const commands = withEntrypoint(image);
  const words = launch.command
    ? [...launch.command, ...launch.args]
    : [...(image.entrypoint ?? []), ...(container.args ? launch.args : (image.cmd ?? []))];
  const [program = '', ...args] = words;
  const hostProgram = hostProgramFor(program, commands);
  if (!hostProgram)
    throw new StartError(`exec: "${program}": not among the programs configured for ${container.image}`);
  await linkMounts(rootDir, mounts);
  const cwd = container.workingDir ? hostPathOf(container.workingDir, mounts, rootDir) : rootDir;
  await mkdir(cwd, { recursive: true, mode: 0o755 });
  const real = (text: string) => (image.podAddresses ? onPodAddress(text, launch.podIP) : text);
  const own = Object.entries({ ...image.env, ...launch.env }).map(([name, value]) => [name, real(value)]);
  const env = hostEnvironment(Object.fromEntries(own) as Record<string, string>, mounts, rootDir, launch.podIP);
  const hosts = names && (await hostsFor(launch, names, [...words, ...Object.values(env)]));
  const told = image.arguments?.(args, launch.podIP) ?? args;
  const realArgs = told.map((arg) => rewritePaths(real(arg), mounts));
  const [started, startArgs] = hosts ? withHosts(hosts.file, hostProgram, realArgs) : [hostProgram, realArgs];
  const log = launch.openLog();
  const child = await startHostProcess({
    program: started,
    args: startArgs,
    env,
    cwd,
    stdin: container.stdin ?? false,
  }).catch(async (error: unknown) => {
    hosts?.stop();
    await log.close();
    throw error;
  });
  // Before anything else: Node.js throws away output that nobody reads when the process ends.
  const exited = untilLogged(child, log).finally(() => hosts?.stop());
  await writeFile(join(rootDir, '..', 'process'), await processIdentity(child.pid), { mode: 0o600 });
  return {
    exited,
    log,
    signal: (name) => child.signal(name),
    exec: (command, options) => execOnHost(command, options, commands, { env, mounts, rootDir, cwd }),
    ...(child.stdin ? { stdin: child.stdin } : {}),
  };
}

async function hostsFor(
  { rootDir, pod }: ContainerLaunch,
  names: ClusterNames,
  words: readonly string[],
): Promise<ClusterHosts> {
  const hosts = new ClusterHosts(
    join(rootDir, '..', 'hosts'),
    clusterNamesIn(words),
    names,
    pod.metadata.namespace ?? '',
  );
  await hosts.start();
  return hosts;
}

/** The container has ended when its last line is in the log. */
async function untilLogged(child: HostProcess, log: ReturnType<ContainerLaunch['openLog']>): Promise<RunResult> {
  const copies = [pipeline(child.stdout, log.stream('stdout')), pipeline(child.stderr, log.stream('stderr'))].map(
    (copy) => copy.catch(() => {}),
  );
  const result = await child.exited;
  await Promise.all(copies);
  await log.close();
  return result;
}
