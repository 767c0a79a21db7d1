import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { exitCodes, UserError } from './cli-error.ts';
import { buildProgram } from './program.ts';

function leaves(command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] {
  const own = [...path, command.name()];
  if (command.commands.length === 0) return [[own.slice(1).join(' '), command]];
  return command.commands.flatMap((child) => leaves(child, own));
}

/** Commands other people type; those that only processes start need no examples. */
const forPeople = /^(create|destroy|scale|describe|dump|status|install|version)\b/;
const all = leaves(buildProgram()).filter(([name]) => forPeople.test(name));

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

async function run(...args: string[]): Promise<unknown> {
  const program = buildProgram();
  const quiet = (command: Command): void => {
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
    command.commands.forEach(quiet);
  };
  quiet(program);
  return program.parseAsync(['node', 'hypershift', ...args]).catch((error: unknown) => error);
}

describe('every command for people', () => {
  it.each(all)('When %s is asked for help, it should describe itself and show an example', (name, command) => {
    const text = helpOf(command);
    expect(command.description()).not.toBe('');
    expect(text).toMatch(/Examples?:\n {2}hypershift /);
    expect(text).toContain(name.split(' ').at(-1));
  });

  it('When they are counted, the nine platforms should be among them', () => {
    const names = all.map(([name]) => name);
    for (const platform of ['none', 'aws', 'azure', 'gcp', 'kubevirt', 'agent', 'openstack', 'powervs', 'ibmcloud'])
      expect(names).toEqual(expect.arrayContaining([`create cluster ${platform}`, `create nodepool ${platform}`]));
  });
});

describe('exit codes', () => {
  it('When the command line is wrong, it should be told apart from failures', async () => {
    expect(await run('status', '--nonsense')).toMatchObject({ code: 'commander.unknownOption' });
    expect(await run('create', 'cluster', 'none', '--arch', 'z80')).toMatchObject({
      code: 'commander.invalidArgument',
    });
    expect(await run('create', 'cluster', 'none', '--node-pool-replicas', 'many')).toMatchObject({
      code: 'commander.invalidArgument',
    });
  });

  it('When a command misses what it must know, it should say so before it talks to anybody', async () => {
    for (const args of [
      ['destroy', 'cluster'],
      ['describe', 'nodepool'],
      ['dump', 'cluster', 'demo'],
      ['scale', 'nodepool', 'demo'],
    ]) {
      const error = await run(...args);
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({ exitCode: exitCodes.failed, fix: expect.stringContaining('hypershift') as string });
    }
  });
});
