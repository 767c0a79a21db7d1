import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { corev1, delay, isNotFound, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Client, RestMapper } from '@hypershift-ts/kube-client';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { clientFrom, longestPauseMs, serverOf } from '../clients/program-client.ts';
import type { ProcessDirectory } from '../directory.ts';
import { ProgramFlags } from '../program-flags.ts';
import { programLog } from '../program-log.ts';

const switches = new Set(['wait-for-infrastructure-resource']);
const askMs = 5_000;

/**
 * Ends when `--target` answers below 400 and, with a kubeconfig, when the kinds, objects and absences asked for are there.
 * Waits for as long as it takes, and says for what.
 */
export function availabilityProber(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args], switches);
    const kubeconfig = flags.text('kubeconfig');
    const client = kubeconfig
      ? clientFrom(context, serverOf(context, directory, kubeconfig), 'availability-prober')
      : undefined;
    const checks = checksOf(context, directory, flags, client);
    let said = '';
    try {
      for (let pause = 50; !context.signal.aborted; pause = Math.min(pause * 1.5, longestPauseMs)) {
        const problem = await firstProblem(checks);
        if (problem === undefined) return 0;
        if (problem !== said) log.info({}, `not available yet: ${problem}`);
        said = problem;
        await delay(context.clock, pause, context.signal);
      }
      return 1;
    } finally {
      await client?.close();
    }
  };
}

/** Throws or answers what is missing. */
type Check = () => Promise<string | undefined>;

async function firstProblem(checks: readonly Check[]): Promise<string | undefined> {
  for (const check of checks) {
    const problem = await check().catch((error: Error) => error.message);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checksOf(
  context: BuiltinContext,
  directory: ProcessDirectory,
  flags: ProgramFlags,
  client: Client | undefined,
): readonly Check[] {
  const target = flags.text('target');
  if (!target || !URL.canParse(target)) throw new Error('--target must be a URL');
  const checks: Check[] = [() => answersSomehow(context, directory, new URL(target))];
  if (!client) return checks;
  const kinds = flags.all('required-api').map((text) => text.split(','));
  if (kinds.length > 0) {
    checks.push(async () => {
      const served = await new RestMapper(client).resources();
      const missing = kinds.find(
        ([group, version, kind]) =>
          !served.some((one) => one.group === group && one.version === version && one.kind === kind),
      );
      return missing && `API ${missing.join(',')} is not served`;
    });
  }
  const exists = (type: ResourceType<KubeObject>, name: string): Check => {
    return async () => {
      try {
        await client.get(type, { name });
        return undefined;
      } catch (error) {
        if (isNotFound(error)) return `${type.resource} ${name} does not exist`;
        throw error;
      }
    };
  };
  if (flags.boolean('wait-for-infrastructure-resource')) checks.push(exists(infrastructures, 'cluster'));
  const binding = flags.text('wait-for-cluster-rolebinding');
  if (binding) checks.push(exists(clusterrolebindings, binding));
  const gone = flags.text('wait-for-labeled-pods-gone');
  if (gone) checks.push(() => podsLeft(client, gone));
  return checks;
}

/** `namespace/selector`. */
async function podsLeft(client: Client, text: string): Promise<string | undefined> {
  const slash = text.indexOf('/');
  const { items } = await client.list(corev1.pods, {
    namespace: text.slice(0, slash),
    labelSelector: text.slice(slash + 1),
  });
  return items.length > 0 ? `${items.length} pods of ${text} are still there` : undefined;
}

const infrastructures: ResourceType<KubeObject> = {
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'Infrastructure',
  resource: 'infrastructures',
  namespaced: false,
};
const clusterrolebindings: ResourceType<KubeObject> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  namespaced: false,
};

/** Asks an API server of this process by call: every component of a control plane waits for the same one. */
async function answersSomehow(
  context: BuiltinContext,
  directory: ProcessDirectory,
  url: URL,
): Promise<string | undefined> {
  if (url.protocol !== 'https:' || !directory.hasApiServers) return answers(context, url);
  const server = `https://${context.resolveService(url.hostname)}:${url.port || 443}`;
  const certificate = await directory.certificates.of({ server, insecureSkipTlsVerify: true }, context.clock.now());
  const [local] = directory.apiServersWith(certificate);
  if (!local) return answers(context, url);
  const code = await local.server.probe(url.pathname + url.search);
  return code < 400 ? undefined : `${url.href} answers ${code}`;
}

/** GETs a URL whose host may be a Service; certificates are not looked at, as with `curl -k`. */
export function answers(
  { resolveService }: Pick<BuiltinContext, 'resolveService'>,
  url: URL,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const host = resolveService(url.hostname);
    const options = { host, port: url.port, path: url.pathname + url.search, agent: false as const, timeout: askMs };
    const request =
      url.protocol === 'https:' ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      response.destroy();
      resolve(statusCode < 400 ? undefined : `${url.href} answers ${statusCode}`);
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => resolve(`${url.href}: ${error.message}`));
    request.end();
  });
}
