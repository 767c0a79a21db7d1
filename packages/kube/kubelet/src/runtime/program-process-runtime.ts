import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describeContainer, descriptionVariable } from './container-description.ts';
import { type ContainerLaunch, type ContainerRuntime, type RunningContainer, StartError } from './container-runtime.ts';
import { execOnHost, type HostCommands, hostEnvironment } from './host-commands.ts';
import { startHostProcess } from './host-process.ts';
import { processIdentity } from './leftovers.ts';
import { linkMounts } from './link-mounts.ts';
import type { NamesFiles } from './names-files.ts';

/** Programs of ours that run as processes of this machine instead of inside this one. */
export interface ProgramProcesses {
  /** The words that start the program of a container; undefined when it is not one of these programs. */
  readonly words: (container: corev1.Container) => readonly string[] | undefined;
  /** More variables, beside the container's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs programs of ours as processes, each told about its container by a file. */
export function programProcessRuntime(
  processes: ProgramProcesses,
  files: NamesFiles,
  exec: HostCommands = {},
): ContainerRuntime {
  return {
    name: 'process',
    accepts: (container) => processes.words(container) !== undefined,
    async start(launch) {
      const words = processes.words(launch.container);
      if (!words) throw new StartError(`no program for image ${launch.container.image}`);
      return startProgram(launch, [...words], { processes, files, exec });
    },
  };
}

interface Around {
  readonly processes: ProgramProcesses;
  readonly files: NamesFiles;
  readonly exec: HostCommands;
}

async function startProgram(
  launch: ContainerLaunch,
  [program = '', ...before]: readonly string[],
  { processes, files, exec }: Around,
): Promise<RunningContainer> {
  const { rootDir, mounts, podIP } = launch;
  const namespace = launch.pod.metadata.namespace ?? '';
  await mkdir(rootDir, { recursive: true, mode: 0o755 });
  await linkMounts(rootDir, mounts);
  const description = join(rootDir, '..', 'container.json');
  const namesFile = await files.use(namespace);
  const log = launch.openLog();
  const giveBack = async () => {
    files.release(namespace);
    await log.close();
  };
  // Paths stay the container's: the program knows where they lead, also those inside its files.
  const env = { ...hostEnvironment({}, [], rootDir, podIP), ...launch.env, ...processes.env };
  try {
    await writeFile(description, JSON.stringify(describeContainer(launch, namesFile)), { mode: 0o600 });
    const child = await startHostProcess({
      program,
      args: [...before, ...(launch.command ?? []).slice(1), ...launch.args],
      env: { ...env, [descriptionVariable]: description },
      cwd: rootDir,
      stdin: false,
    });
    const copies = (['stdout', 'stderr'] as const).map((name) =>
      pipeline(child[name], log.stream(name)).catch(() => {}),
    );
    const exited = child.exited.then(async (result) => {
      await Promise.all(copies);
      await giveBack();
      return result;
    });
    await writeFile(join(rootDir, '..', 'process'), await processIdentity(child.pid), { mode: 0o600 });
    return {
      exited,
      log,
      signal: (name) => child.signal(name),
      exec: (command, options) =>
        execOnHost(command, options, exec, {
          env: hostEnvironment(launch.env, mounts, rootDir, podIP),
          mounts,
          rootDir,
          cwd: rootDir,
        }),
    };
  } catch (error) {
    await giveBack();
    throw error;
  }
}
