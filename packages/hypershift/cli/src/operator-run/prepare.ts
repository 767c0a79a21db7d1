import { exitCodes, UserError } from '../cli-error.ts';
import type { ProgramFacts } from './programs.ts';

const nameOf = (name: string): string => name.split(' ')[0] as string;

/** Whether a flag is given, as `--name value`, `--name=value` or with one dash. */
function valueOf(args: readonly string[], name: string): string | undefined {
  for (const [at, arg] of args.entries()) {
    const bare = arg.replace(/^--?/, '');
    if (bare === arg) continue;
    if (bare === name) return args[at + 1] ?? '';
    if (bare.startsWith(`${name}=`)) return bare.slice(name.length + 1);
  }
  return undefined;
}

/** What must be known before a program can do anything; fails with all that is missing. */
export function requireFlags({ words, flags }: ProgramFacts, args: readonly string[]): void {
  const missing = flags.filter(({ name, required }) => required && !valueOf(args, nameOf(name)));
  if (missing.length === 0) return;
  throw new UserError(
    `${words.join(' ')} needs ${missing.map(({ name }) => `--${name}`).join(', ')}`,
    `See hypershift ${words.join(' ')} --help.`,
    { exitCode: exitCodes.usage },
  );
}

/** The kubeconfig of the management cluster; undefined in a pod, and for programs that have nothing to do with it. */
export function managementKubeconfig(
  { words, management }: ProgramFacts,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (!management) return undefined;
  const given = valueOf(args, management);
  if (given) return given;
  if (env['KUBERNETES_SERVICE_HOST']) return undefined;
  if (env['KUBECONFIG']) return env['KUBECONFIG'];
  throw new UserError(
    `${words.join(' ')} does not know the management cluster`,
    `Name a kubeconfig with --${management} or KUBECONFIG, or run it in a pod of that cluster.`,
    { exitCode: exitCodes.usage },
  );
}
