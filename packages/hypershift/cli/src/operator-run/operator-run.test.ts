import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ownProgram } from '@hypershift-ts/hypershift-embedded';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { processContext } from '@hypershift-ts/kube-kubelet';
import { exitCodes } from '../cli-error.ts';
import { programCommands } from './command.ts';
import { managementKubeconfig, requireFlags } from './prepare.ts';
import { programs } from './programs.ts';

const named = (...words: string[]) => programs.find((one) => one.words.join(' ') === words.join(' '))!;
const configOperator = named('control-plane-operator', 'hosted-cluster-config-operator');
const all = programs.map((one) => [one.words.join(' '), one] as const);

describe('every program', () => {
  it.each(all)('When %s is asked for, there should be one in the product', (_, { words }) => {
    const command = [...(words[0] === 'operator' ? ['hypershift'] : []), ...words];
    const images: Record<string, string> = {
      'cluster-api': 'cluster-capi-controllers',
      'capi-provider': 'cluster-api-provider-kubevirt',
    };
    const context = processContext({
      command,
      args: [],
      env: { HYPERSHIFT_IMAGE: images[words[0] ?? ''] ?? '' },
      stdout: process.stdout,
      stderr: process.stderr,
      signal: new AbortController().signal,
      clock: systemClock,
    });
    expect(ownProgram(context)).toBeTypeOf('function');
  });

  it.each(all)('When %s is asked for help, it should name its flags', (_, { words, flags }) => {
    const find = (commands: readonly Command[], [first, ...rest]: readonly string[]): Command => {
      const found = commands.find((command) => command.name() === first)!;
      return rest.length === 0 ? found : find(found.commands, rest);
    };
    let text = '';
    const command = find(programCommands(), words);
    command.configureOutput({ writeOut: (part) => (text += part) });
    command.outputHelp();
    for (const { name } of flags) expect(text).toContain(`--${name}`);
  });
});

describe('requireFlags', () => {
  it('When flags are missing, it should name all of them and end as a fault of the command line', () => {
    expect(() => requireFlags(configOperator, ['--namespace', 'clusters-demo'])).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/--target-kubeconfig <file>, --hosted-control-plane <name>$/) as string,
        exitCode: exitCodes.usage,
      }),
    );
  });

  it('When all are given in any form, it should be content', () => {
    const args = ['--namespace=a', '-target-kubeconfig', 'file', '--hosted-control-plane=demo'];
    expect(() => requireFlags(configOperator, args)).not.toThrow();
  });
});

describe('managementKubeconfig', () => {
  const operator = named('operator', 'run');

  it('When a flag names it, that should win', () => {
    const env = { KUBECONFIG: 'other', KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    expect(managementKubeconfig(operator, ['--kubeconfig=mine'], env)).toBe('mine');
  });

  it('When the program runs in a pod, it should leave it to the service account', () => {
    expect(
      managementKubeconfig(operator, [], { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBECONFIG: 'a' }),
    ).toBeUndefined();
  });

  it('When nobody names the management cluster, it should say how to', () => {
    expect(() => managementKubeconfig(operator, [], {})).toThrow(
      expect.objectContaining({ fix: expect.stringContaining('--kubeconfig') as string, exitCode: exitCodes.usage }),
    );
    expect(managementKubeconfig(named('kube-scheduler'), [], {})).toBeUndefined();
  });
});
