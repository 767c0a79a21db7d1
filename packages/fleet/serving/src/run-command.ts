import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { CommandContext } from './command-context.ts';

/** What a program can do, by name; each gives its exit code. */
export type Commands = Readonly<Record<string, (args: readonly string[]) => Promise<number>>>;

/** Runs the command that the first argument names: 2 when there is none of that name, 1 with the cause when it fails. */
export async function runCommand(
  program: { readonly name: string; readonly usage: string },
  args: readonly string[],
  context: Pick<CommandContext, 'version' | 'out' | 'err'>,
  commands: Commands,
): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === 'version') {
    context.out(`${context.version}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    context.err(program.usage);
    return ['', 'help', '--help'].includes(name) ? 0 : 2;
  }
  try {
    return await command(rest);
  } catch (error) {
    context.err(`${program.name} ${name}: ${errorMessage(error)}\n`);
    return 1;
  }
}
