import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { decodeJson, isJsonObject, type Random } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { applyClusterObjects, refuseExisting } from './apply.ts';
import { checkCoreFlags } from './check-flags.ts';
import { type CoreFlags, withCoreDefaults } from './core-flags.ts';
import { type ClusterObjects, clusterObjects } from './objects.ts';
import type { PlatformBuilder } from './platform-builder.ts';
import { platformFlagValues } from './platform-flags.ts';
import { nodeAddress, prepareRequest } from './prepare.ts';

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

/** Flags of a platform's own have defaults, too, for callers that are not the command line. */
function withPlatformDefaults(
  platform: PlatformBuilder,
  given: ClusterPlanOptions['flags'],
): { readonly [flag: string]: unknown } {
  const camel = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const defaults = platformFor(platform.type).flags.filter((flag) => flag.default !== undefined);
  return { ...Object.fromEntries(defaults.map((flag) => [camel(flag.name), flag.default])), ...given };
}

async function infraJson(path: string | undefined, read: (path: string) => Promise<string>) {
  if (!path) return undefined;
  const { value } = decodeJson(
    await read(path).catch((cause: Error) => {
      throw new UserError(`--infra-json ${path}: cannot be read: ${cause.message}`, 'Check the path.', { cause });
    }),
    { maxLength: 1 << 20 },
  );
  if (!isJsonObject(value)) throw new UserError(`--infra-json ${path}: not a JSON object`);
  return value;
}

/** The objects a command line asks for. Reads files and, where it must, asks the management cluster; writes nothing. */
export async function planCluster(options: ClusterPlanOptions): Promise<ClusterObjects> {
  const { platform, client } = options;
  const read = options.readFile ?? ((path: string) => readFile(path, 'utf8'));
  const flags = withCoreDefaults(options.flags);
  checkCoreFlags(flags);
  const definitions = platformFor(platform.type).flags;
  const values = await platformFlagValues(definitions, withPlatformDefaults(platform, options.flags), read);
  const request = await prepareRequest(flags, {
    readFile: read,
    random: options.random ?? Math.random,
    randomBytes: options.randomBytes ?? randomBytes,
    note: options.note ?? (() => {}),
    isEmbedded: options.isEmbedded,
  });
  const wantsAddress = platform.needsNodeAddress?.(values) ?? false;
  const parts = platform.build(values, request, {
    nodeAddress: wantsAddress && client ? await nodeAddress(client) : undefined,
    infra: await infraJson(flags.infraJson, read),
  });
  return clusterObjects(request, parts);
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
