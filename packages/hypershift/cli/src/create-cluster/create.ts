import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type PlatformFlag, platformFor } from '@hypershift-ts/hypershift-platforms';
import type { Random } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { applyClusterObjects, refuseExisting } from './apply.ts';
import { checkCoreFlags } from './check-flags.ts';
import { type CoreFlags, withCoreDefaults } from './core-flags.ts';
import { type ClusterObjects, clusterObjects } from './objects.ts';
import { parseFields } from './json-fields.ts';
import type { PlatformBuilder, SimulatedInputs } from './platform-builder.ts';
import { camelCase, platformFlagValues } from './platform-flags.ts';
import { nodeAddress, prepareRequest } from './prepare.ts';
import type { ClusterRequest } from './request.ts';

export interface ClusterPlanOptions {
  readonly platform: PlatformBuilder;
  /** Core flags and those of the platform, in camel case; what is missing gets its default. */
  readonly flags: Partial<CoreFlags> & { readonly name: string; readonly [flag: string]: unknown };
  /** The management cluster; absent when there is none to ask, as with --render. */
  readonly client?: Client;
  readonly isEmbedded?: boolean;
  readonly note?: (text: string) => void;
  readonly readFile?: (path: string) => Promise<string>;
  readonly random?: Random;
  readonly randomBytes?: (count: number) => Uint8Array;
}

/** Flags of the platform and of its nodes, each once. */
export function flagsOf({ type, nodes }: PlatformBuilder): readonly PlatformFlag[] {
  const own = platformFor(type).flags;
  const known = new Set(own.map(({ name }) => name));
  return [...own, ...nodes.flags.filter(({ name }) => !known.has(name))];
}

/** Values of flags nobody gave, for callers that are not the command line; what a simulated cloud does not need is made up. */
function withDefaults(
  flags: readonly PlatformFlag[],
  given: ClusterPlanOptions['flags'],
  simulated: SimulatedInputs,
): { readonly [flag: string]: unknown } {
  const defaults = flags
    .filter((flag) => flag.default !== undefined)
    .map((flag) => [camelCase(flag.name), flag.default]);
  const made = Object.entries(simulated.flags ?? {}).map(([name, value]) => [camelCase(name), value]);
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(made), ...given };
}

async function infraJson(path: string | undefined, read: (path: string) => Promise<string>) {
  if (!path) return undefined;
  const text = await read(path).catch((cause: Error) => {
    throw new UserError(`--infra-json ${path}: cannot be read: ${cause.message}`, 'Check the path.', { cause });
  });
  return parseFields(text, 'infra-json');
}

/** On an embedded management cluster the cloud is simulated, so nobody has to describe one. */
function simulatedInputs(options: ClusterPlanOptions, request: ClusterRequest): SimulatedInputs {
  const isDescribed = options.flags.infraJson !== undefined;
  if (!options.isEmbedded || isDescribed || !options.platform.simulated) return {};
  options.note?.(
    `The ${options.platform.type} cloud is simulated: what its infrastructure would be called is made up.`,
  );
  return options.platform.simulated(request);
}

/** The objects a command line asks for. Reads files and, where it must, asks the management cluster; writes nothing. */
export async function planCluster(options: ClusterPlanOptions): Promise<ClusterObjects> {
  const { platform, client } = options;
  const read = options.readFile ?? ((path: string) => readFile(path, 'utf8'));
  const flags = withCoreDefaults(options.flags);
  checkCoreFlags(flags);
  const request = await prepareRequest(flags, {
    readFile: read,
    random: options.random ?? Math.random,
    randomBytes: options.randomBytes ?? randomBytes,
    note: options.note ?? (() => {}),
    isEmbedded: options.isEmbedded,
  });
  const simulated = simulatedInputs(options, request);
  const definitions = flagsOf(platform);
  const given = withDefaults(definitions, options.flags, simulated);
  const values = await platformFlagValues(definitions, given, read, simulated.files);
  const wantsAddress = platform.needsNodeAddress?.(values) ?? false;
  const built = platform.build(values, request, {
    nodeAddress: wantsAddress && client ? await nodeAddress(client) : undefined,
    infra: (await infraJson(flags.infraJson, read)) ?? simulated.infra,
  });
  // The class a cloud would have for etcd's volumes is not there; the default class is.
  const { etcdStorageClass, ...others } = built;
  const parts = options.isEmbedded || !etcdStorageClass ? others : built;
  return clusterObjects(request, parts, platform.nodes.upgradeType);
}

/** Plans and creates a cluster; answers what was created. */
export async function createCluster(
  options: ClusterPlanOptions & { readonly client: Client; readonly onApplied?: (name: string) => void },
): Promise<ClusterObjects> {
  const { name, namespace } = withCoreDefaults(options.flags);
  if (name) await refuseExisting(options.client, { namespace, name });
  const objects = await planCluster(options);
  await applyClusterObjects(options.client, objects, options.onApplied);
  return objects;
}
