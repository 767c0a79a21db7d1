import { existsSync, readFileSync } from 'node:fs';
import type { CommandContext, Flags } from '@hypershift-ts/fleet-serving';
import { readFlags, runCommand } from '@hypershift-ts/fleet-serving';
import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { decodeJson, errorMessage } from '@hypershift-ts/kube-apimachinery';
import { stringify } from 'yaml';
import type { LoadedAdapter } from '../config/load.ts';
import { loadAdapterFiles } from '../config/load.ts';
import { dryRun, traceText } from '../dry-run/index.ts';
import { redacted } from '../run/redact.ts';
import { ADAPTER_FLAGS, flagOverrides } from './flags.ts';
import { serve } from './serve.ts';

const usage = `usage: hyperfleet-adapter <command> [-c config] [-t task-config] [flags]

commands:
  serve        handle events until asked to stop; with --dry-run-event FILE handle one, touching nothing
  config-dump  print the configuration in its current form
  version      print the version

dry run: --dry-run-event FILE [--dry-run-api-responses FILE] [--dry-run-discovery FILE] [--dry-run-verbose]
         [--dry-run-output text|json]
Settings come from flags, HYPERFLEET_* variables, the files and defaults, in this order.
`;

const standardConfigs = ['/etc/hyperfleet/config.yaml', './configs/config.yaml'];

/** Runs one command of the adapter and gives its exit code. */
export function adapterCommand(args: readonly string[], context: CommandContext): Promise<number> {
  return runCommand({ name: 'hyperfleet-adapter', usage }, args, context, {
    async 'config-dump'(rest) {
      context.out(stringify(redacted(load(readFlags(rest, ADAPTER_FLAGS), context).canonical)));
      return 0;
    },
    serve: async (rest) => serveOrDryRun(readFlags(rest, ADAPTER_FLAGS), context),
  });
}

function load(flags: Flags, { env, version, err, clock }: CommandContext): LoadedAdapter {
  const config =
    flags.value('config') ?? env['HYPERFLEET_ADAPTER_CONFIG'] ?? standardConfigs.find((path) => existsSync(path));
  if (config === undefined) throw new Error('no configuration: use --config or HYPERFLEET_ADAPTER_CONFIG');
  const task = flags.value('task-config') ?? env['HYPERFLEET_TASK_CONFIG'];
  const adapter = loadAdapterFiles(
    { config, ...(task === undefined ? {} : { task }) },
    { env, version, flags: flagOverrides(flags), ...(clock ? { clock } : {}) },
  );
  for (const warning of adapter.warnings) err(`warning: ${warning}\n`);
  return adapter;
}

async function serveOrDryRun(flags: Flags, context: CommandContext): Promise<number> {
  const adapter = load(flags, context);
  const event = flags.value('dry-run-event');
  if (event === undefined) return serve(adapter, flags, context);
  const output = flags.value('dry-run-output') ?? 'text';
  if (output !== 'text' && output !== 'json') throw new Error('--dry-run-output must be text or json');
  const trace = await dryRun(adapter, {
    event: readJson(event),
    apiResponses: optionalJson(flags.value('dry-run-api-responses')),
    discovery: optionalJson(flags.value('dry-run-discovery')),
    verbose: flags.has('dry-run-verbose'),
    env: context.env,
    log: (level, message) => context.err(`${level}: ${message}\n`),
  });
  context.out(output === 'json' ? `${JSON.stringify(trace, undefined, 2)}\n` : traceText(trace));
  // A run that fails is still a dry run that worked.
  return 0;
}

function readJson(path: string): JsonValue {
  try {
    return decodeJson(readFileSync(path, 'utf8')).value;
  } catch (error) {
    throw new Error(`${path}: ${errorMessage(error)}`, { cause: error });
  }
}

function optionalJson(path: string | undefined): JsonValue | undefined {
  return path === undefined ? undefined : readJson(path);
}
