import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { IgnitionConfig } from '../spec/ignition-config.ts';
import { workingVersion } from '../spec/ignition-error.ts';
import { mergeIgnition } from '../spec/merge.ts';
import { parseIgnition } from '../spec/parse.ts';
import type { Finding } from '../spec/shape.ts';
import type { KernelType, MachineConfig, MachineConfigSpec } from './machine-config.ts';
import { generatedByAnnotation, roleLabel, supportedExtensions } from './machine-config.ts';

/** All MachineConfigs of a pool as one. */
export interface MergedMachineConfig {
  readonly ignition: IgnitionConfig;
  readonly kernelArguments: readonly string[];
  readonly extensions: readonly string[];
  readonly fips: boolean;
  readonly kernelType: KernelType;
  readonly osImageURL: string;
  readonly baseOSExtensionsContainerImage: string;
  /** Keys that Ignition will ignore, by MachineConfig. */
  readonly warnings: readonly (Finding & { readonly machineConfig: string })[];
}

export interface BaseImages {
  readonly osImageURL: string;
  readonly baseOSExtensionsContainerImage: string;
}

/** A MachineConfig that cannot be used, by name. */
export class MachineConfigError extends Error {
  override readonly name = 'MachineConfigError';
}

/**
 * Merges as the machine-config-operator does: workers first, by name; a later config wins for files, units and users;
 * kernel arguments and extensions add up; `fips` and a special kernel win wherever they are asked for.
 */
export function mergeMachineConfigs(configs: readonly MachineConfig[], images: BaseImages): MergedMachineConfig {
  const ordered = inOrder(configs);
  const warnings: MergedMachineConfig['warnings'][number][] = [];
  let ignition: IgnitionConfig = { ignition: { version: workingVersion } };
  for (const config of ordered) {
    const parsed = ignitionOf(config);
    warnings.push(...parsed.warnings.map((finding) => ({ ...finding, machineConfig: nameOf(config) })));
    ignition = withoutEmptyCompression(mergeIgnition(ignition, withCompression(parsed.config)));
  }
  const special = ordered.map(({ spec }) => spec.kernelType).findLast((type) => type && type !== 'default');
  const kernelType = (special ?? 'default') as KernelType;
  const extensions = ordered.flatMap(({ spec }) => spec.extensions ?? []);
  if (kernelType !== 'default' && extensions.includes('kernel-devel'))
    throw new MachineConfigError(`installing kernel-devel extension is not supported with kernelType: ${kernelType}`);
  return {
    ignition: overwritingFiles(ignition),
    kernelArguments: ordered.flatMap(({ spec }) => spec.kernelArguments ?? []),
    extensions,
    fips: ordered.some(({ spec }) => spec.fips === true),
    kernelType,
    osImageURL: lastChosen(ordered, 'osImageURL') ?? images.osImageURL,
    baseOSExtensionsContainerImage:
      lastChosen(ordered, 'baseOSExtensionsContainerImage') ?? images.baseOSExtensionsContainerImage,
    warnings,
  };
}

/** What the operator refuses in one MachineConfig; undefined when it is fine. */
export function machineConfigProblem(config: MachineConfig): string | undefined {
  try {
    ignitionOf(config);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function inOrder(configs: readonly MachineConfig[]): MachineConfig[] {
  const byName = (a: MachineConfig, b: MachineConfig) => Buffer.compare(Buffer.from(nameOf(a)), Buffer.from(nameOf(b)));
  const isWorker = (config: MachineConfig) => config.metadata.labels?.[roleLabel] === 'worker';
  return [...configs.filter(isWorker).sort(byName), ...configs.filter((config) => !isWorker(config)).sort(byName)];
}

function ignitionOf(config: MachineConfig): ReturnType<typeof parseIgnition> {
  const { kernelType = '', extensions, config: raw } = config.spec;
  const fail = (reason: string, cause?: unknown): never => {
    throw new MachineConfigError(`MachineConfig ${nameOf(config)}: ${reason}`, { cause });
  };
  if (!['', 'default', 'realtime', '64k-pages'].includes(kernelType)) fail(`kernelType=${kernelType} is invalid`);
  const unknown = (extensions ?? []).filter((extension) => !supportedExtensions.has(extension));
  if (unknown.length > 0) fail(`invalid extensions found: [${unknown.join(' ')}]`);
  const nothing = { config: { ignition: { version: workingVersion } }, warnings: [] };
  if (raw === undefined || raw === null) return nothing;
  // An empty config has no version either; it says nothing rather than something wrong.
  if (isJsonObject(raw) && Object.keys(raw).length === 0) return nothing;
  try {
    return parseIgnition(raw);
  } catch (error) {
    return fail((error as Error).message, error);
  }
}

/** A generated config repeats the release's image; only a user's own choice overrides it. */
function lastChosen(configs: readonly MachineConfig[], field: keyof BaseImages): string | undefined {
  return configs
    .filter(({ metadata }) => !metadata.annotations?.[generatedByAnnotation])
    .map(({ spec }: { spec: MachineConfigSpec }) => spec[field])
    .findLast(Boolean);
}

type Files = NonNullable<NonNullable<IgnitionConfig['storage']>['files']>;

function mapFiles(config: IgnitionConfig, change: (file: Files[number]) => Files[number]): IgnitionConfig {
  const files = config.storage?.files;
  return files ? { ...config, storage: { ...config.storage, files: files.map(change) } } : config;
}

/** Says "not compressed" out loud, or an overriding file would inherit the compression of the file it replaces. */
const withCompression = (config: IgnitionConfig): IgnitionConfig =>
  mapFiles(config, (file) => ({ ...file, contents: { compression: '', ...file.contents } }));

const withoutEmptyCompression = (config: IgnitionConfig): IgnitionConfig =>
  mapFiles(config, (file) => {
    if (file.contents?.compression !== '') return file;
    const { compression: _, ...contents } = file.contents;
    const { contents: __, ...rest } = file;
    return Object.keys(contents).length === 0 ? rest : { ...rest, contents };
  });

/**
 * Nodes always take the config's file; Ignition must too, or new machines would fail where old ones do not. A file
 * without contents is left alone: Ignition refuses to overwrite with nothing, and the machine would not boot.
 */
const overwritingFiles = (config: IgnitionConfig): IgnitionConfig =>
  mapFiles(config, (file) =>
    file.overwrite === undefined && file.contents?.source !== undefined ? { ...file, overwrite: true } : file,
  );

const nameOf = (config: MachineConfig): string => config.metadata.name ?? '';
