import { Command } from 'commander';
import { type ProgramFacts, programs } from './programs.ts';
import { managementKubeconfig, requireFlags } from './prepare.ts';

/** Providers are told apart by their image, which a shell does not have. */
function imageOf({ words }: ProgramFacts, args: readonly string[]): string | undefined {
  if (words[0] === 'cluster-api') return 'cluster-capi-controllers';
  if (words[0] !== 'capi-provider') return undefined;
  const at = args.findIndex((arg) => /^--provider(=|$)/.test(arg));
  const provider = args[at]?.split('=')[1] ?? args[at + 1];
  return at < 0 || !provider ? undefined : `cluster-api-provider-${provider}`;
}

function leaf(facts: ProgramFacts): Command {
  const width = Math.max(...facts.flags.map(({ name }) => name.length)) + 2;
  const lines = facts.flags.map(
    ({ name, help, required }) => `  --${name.padEnd(width)}${help}${required ? ' (required)' : ''}`,
  );
  const command = new Command(facts.words.at(-1))
    .description(facts.description)
    .usage('[flags]')
    .allowUnknownOption()
    .allowExcessArguments()
    .passThroughOptions()
    .argument('[flags...]')
    .addHelpText(
      'after',
      `\nFlags:\n${lines.join('\n')}\n\nFlags of the upstream program that mean nothing here are ignored.`,
    );
  return command.action(async (args: string[]) => {
    if (args.includes('--help') || args.includes('-h')) return command.help();
    requireFlags(facts, args);
    const kubeconfig = managementKubeconfig(facts, args, process.env);
    const image = imageOf(facts, args);
    const { runProgram } = await import('./run-program.ts');
    await runProgram([...facts.words, ...args], {
      ...(kubeconfig ? { HYPERSHIFT_KUBECONFIG: kubeconfig } : {}),
      ...(image ? { HYPERSHIFT_IMAGE: image } : {}),
    });
  });
}

const groupDescriptions: Readonly<Record<string, string>> = {
  operator: 'Run the HyperShift operator.',
  'control-plane-operator': 'Run the operator of a control plane, or one of the programs its image holds.',
  'control-plane-pki-operator': 'Run the operator for break-glass access.',
  'cluster-version-operator': 'Run the operator that follows a release into a hosted cluster.',
};

/** Operators and other programs of control planes, each as a process of its own. */
export function programCommands(): readonly Command[] {
  const groups = new Map<string, Command>();
  const commands: Command[] = [];
  for (const facts of programs) {
    const [first = '', second] = facts.words;
    if (second === undefined) {
      commands.push(leaf(facts));
      continue;
    }
    let group = groups.get(first);
    if (!group) {
      group = new Command(first).description(groupDescriptions[first] ?? '').enablePositionalOptions();
      groups.set(first, group);
      commands.push(group);
    }
    group.addCommand(leaf(facts));
  }
  return commands;
}
