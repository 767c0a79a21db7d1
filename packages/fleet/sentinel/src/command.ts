import { existsSync, readFileSync } from 'node:fs';
import { brokerConfigOf, connectPublisher } from '@hypershift-ts/fleet-broker';
import type { CommandContext, Flags } from '@hypershift-ts/fleet-serving';
import { createLog, readFlags, runCommand, startProbes } from '@hypershift-ts/fleet-serving';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { ResourceList } from './api/resource-list.ts';
import type { SentinelConfig } from './config/sentinel-config.ts';
import { loadSentinelConfig } from './config/sentinel-config.ts';
import { Sentinel } from './sentinel.ts';

const usage = `usage: hyperfleet-sentinel <command> [-c config]

commands:
  serve        poll the API and publish events until asked to stop
  config-dump  print the configuration with its defaults
  version      print the version

flags: --health-server-bindaddress :8080, --metrics-server-bindaddress :9090
`;

const flagNames = {
  values: ['config', 'health-server-bindaddress', 'metrics-server-bindaddress'],
  short: { c: 'config' },
};

const standardConfigs = ['/etc/hyperfleet/config.yaml', './configs/config.yaml'];

/** Runs one command of the Sentinel and gives its exit code. */
export function sentinelCommand(args: readonly string[], context: CommandContext): Promise<number> {
  return runCommand({ name: 'hyperfleet-sentinel', usage }, args, context, {
    async 'config-dump'(rest) {
      // JSON is YAML, too.
      context.out(`${JSON.stringify(load(readFlags(rest, flagNames), context), undefined, 2)}\n`);
      return 0;
    },
    async serve(rest) {
      const flags = readFlags(rest, flagNames);
      return serve(load(flags, context), flags, context);
    },
  });
}

function load(flags: Flags, { env }: CommandContext): SentinelConfig {
  const file = flags.value('config') ?? env['HYPERFLEET_CONFIG'] ?? standardConfigs.find((path) => existsSync(path));
  if (file === undefined) throw new Error('no configuration: use --config or HYPERFLEET_CONFIG');
  return loadSentinelConfig({ file, text: readFileSync(file, 'utf8') }, env);
}

async function serve(config: SentinelConfig, flags: Flags, context: CommandContext): Promise<number> {
  const { version, env, signal, clock = systemClock } = context;
  const { name } = config.sentinel;
  const log = createLog({
    ...config.log,
    write: config.log?.output === 'stderr' ? context.err : context.out,
    now: () => clock.now(),
    component: name,
    version,
  });
  const { topic } = config.clients.broker;
  if (topic === '') throw new Error('clients.broker.topic is not set; set it or HYPERFLEET_BROKER_TOPIC');
  if (config.clients.hyperfleet_api.page_size > 100)
    log('warning', 'the API serves at most 100 resources a page; page_size is limited to that');
  const list = new ResourceList({ config, userAgent: `hyperfleet-sentinel/${version} (${name})`, clock });
  const publisher = await connectPublisher(brokerConfigOf(env));
  const sentinel = new Sentinel({ config, list, publisher, clock, log, version });
  const probes = await startProbes({
    healthAddress: flags.value('health-server-bindaddress') ?? ':8080',
    metricsAddress: flags.value('metrics-server-bindaddress') ?? ':9090',
    healthz: () =>
      sentinel.isStale
        ? { ok: false, body: 'poll stale', contentType: 'text/plain' }
        : { ok: true, body: '{"status":"ok"}' },
    readyz: async () => {
      const answer = await sentinel.readiness();
      return { ok: answer.status === 'ok', body: JSON.stringify(answer) };
    },
    metrics: () => sentinel.metrics.text(),
  });
  try {
    await list.probe(signal);
    log('info', `polling ${config.resource_type} every ${config.poll_interval}`, { topic });
    await sentinel.run(signal);
  } finally {
    await Promise.all([probes.close(), publisher.close()]);
  }
  return 0;
}
