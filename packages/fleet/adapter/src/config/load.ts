import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Clock, JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { decodeYaml, errorMessage, isJsonObject, jsonClone, systemClock } from '@hypershift-ts/kube-apimachinery';
import { canonicalConfig } from '../dialect/index.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { readAdapterConfig, versionMismatch } from './adapter-config.ts';
import { checkTask } from './check-task.ts';
import { CompiledTexts } from './compiled-texts.ts';
import type { EnvironmentVariables } from '@hypershift-ts/fleet-settings';
import { applyOverrides } from './overrides.ts';
import { readTaskConfig } from './read-task.ts';
import { MapReader, Problems } from '@hypershift-ts/fleet-settings';
import { ConfigError, ConfigSource, Origins } from '@hypershift-ts/fleet-settings';
import type { PayloadConfig, ResourceConfig, TaskConfig } from './task-config.ts';

export interface ConfigFile {
  /** How messages name it; references in it are relative to its folder. */
  readonly file: string;
  readonly text: string;
}

export interface LoadOptions {
  readonly env?: EnvironmentVariables;
  /** Overrides of the command line by setting, e.g. `clients.broker.topic`; stronger than the environment. */
  readonly flags?: EnvironmentVariables;
  /** Version of this program; checked against `adapter.version`. */
  readonly version?: string;
  readonly clock?: Clock;
  /** Reads a referenced file; throws when it cannot. */
  readonly readFile?: (path: string) => string;
}

/** A configuration ready to run. */
export interface LoadedAdapter {
  readonly config: AdapterConfig;
  /** With the contents of referenced files in place. */
  readonly task: TaskConfig;
  /** The canonical form as `config-dump` prints it. */
  readonly canonical: JsonObject;
  readonly texts: CompiledTexts;
  /** Whether the files use an older form. */
  readonly older: boolean;
  readonly warnings: readonly string[];
}

const mostOfFile = 1024 * 1024;

/** Loads from the texts of an adapter file and a task file, or of one file with both. Throws `ConfigError`. */
export function loadAdapter(
  files: { readonly config?: ConfigFile; readonly task?: ConfigFile },
  options: LoadOptions = {},
): LoadedAdapter {
  const env = options.env ?? process.env;
  const origins = new Origins();
  const source = (file: ConfigFile | undefined): JsonObject | undefined =>
    file && new ConfigSource(file.file, file.text, origins).root;
  const documents = { adapter: source(files.config), task: source(files.task) };
  const configName = files.config?.file ?? files.task?.file ?? 'configuration';
  const taskName = files.task?.file ?? configName;
  const references = new References(dirname(taskName), options.readFile ?? readTextFile);
  const { adapter, task, older } = canonicalConfig(documents, origins, (ref) => references.contents(ref).text);
  const configTree = withOverrides(adapter, env, options.flags, origins);
  const configProblems = new Problems(origins, configTree, configName);
  const config = readAdapterConfig(new MapReader(configTree, [], configProblems));
  const mismatch = options.version === undefined ? undefined : versionMismatch(config.adapter.version, options.version);
  if (mismatch) configProblems.add(['adapter', 'version'], mismatch);
  const taskProblems = new Problems(origins, task, taskName);
  const read = readTaskConfig(new MapReader(task, [], taskProblems));
  const inlined = inlineFiles(read, references, taskProblems);
  const texts = new CompiledTexts(options.clock ?? systemClock);
  checkTask(inlined, texts, taskProblems);
  checkRequiredEnvironment(read, env, taskProblems);
  const problems = [...configProblems.found, ...taskProblems.found];
  if (problems.length > 0) throw new ConfigError(problems);
  const canonical = { ...(config as unknown as JsonObject), ...(read as unknown as JsonObject) };
  return { config, task: inlined, canonical, texts, older, warnings: warningsOf(read, older) };
}

/** Loads from files; relative references in the task file start at its folder. */
export function loadAdapterFiles(
  paths: { readonly config: string; readonly task?: string },
  options: LoadOptions = {},
): LoadedAdapter {
  const read = options.readFile ?? readTextFile;
  const file = (path: string): ConfigFile => {
    try {
      return { file: path, text: read(path) };
    } catch (error) {
      throw new ConfigError([{ file: path, path: '', message: `cannot be read: ${errorMessage(error)}` }]);
    }
  };
  const { config, task } = paths;
  return loadAdapter({ config: file(config), ...(task === undefined ? {} : { task: file(task) }) }, options);
}

function readTextFile(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (text.length > mostOfFile) throw new Error(`longer than ${mostOfFile} characters`);
  return text;
}

function withOverrides(
  adapter: JsonObject,
  env: EnvironmentVariables,
  flags: EnvironmentVariables | undefined,
  origins: Origins,
): JsonObject {
  const copy = jsonClone(adapter) as { [key: string]: JsonValue };
  applyOverrides(copy, env, flags);
  carryAll(copy, adapter, origins);
  return copy;
}

function carryAll(copy: JsonValue | undefined, original: JsonValue | undefined, origins: Origins): void {
  if (!isJsonObject(copy) || !isJsonObject(original)) return;
  origins.carry(copy, original);
  for (const [key, value] of Object.entries(copy)) carryAll(value, original[key], origins);
}

/** Files that the task refers to; relative names stay inside the folder of the configuration. */
class References {
  private readonly folder: string;
  private readonly read: (path: string) => string;

  constructor(folder: string, read: (path: string) => string) {
    this.folder = folder;
    this.read = read;
  }

  contents(ref: string): { readonly text?: string; readonly problem?: string } {
    const place = isAbsolute(ref) ? ref : join(this.folder, ref);
    if (!isAbsolute(ref) && relative(this.folder, place).startsWith('..'))
      return { problem: `${JSON.stringify(ref)} leads out of the folder of the configuration` };
    try {
      return { text: this.read(place) };
    } catch (error) {
      return { problem: `the file ${JSON.stringify(ref)} cannot be read: ${errorMessage(error)}` };
    }
  }
}

/** Puts the contents of referenced files in the place of the references. */
function inlineFiles(task: TaskConfig, references: References, problems: Problems): TaskConfig {
  const contents = (ref: string, path: readonly (string | number)[]): string | undefined => {
    const { text, problem } = references.contents(ref);
    if (problem !== undefined) problems.add(path, problem);
    return text;
  };
  const manifests = (resource: ResourceConfig, i: number): ResourceConfig => {
    const { manifest } = resource;
    if (typeof manifest !== 'object' || !('ref' in manifest) || typeof manifest.ref !== 'string') return resource;
    return { ...resource, manifest: contents(manifest.ref, ['resources', i, 'manifest', 'ref']) ?? '' };
  };
  const payloads = (payload: PayloadConfig, i: number): PayloadConfig => {
    if (payload.build_ref === undefined) return payload;
    const path = ['post', 'payloads', i, 'build_ref'];
    const text = contents(payload.build_ref, path);
    return text === undefined ? payload : { ...payload, build: decodedBuild(text, path, problems) };
  };
  return {
    ...task,
    resources: task.resources.map(manifests),
    post: { ...task.post, payloads: task.post.payloads.map(payloads) },
  };
}

function decodedBuild(text: string, path: readonly (string | number)[], problems: Problems): JsonValue {
  try {
    return decodeYaml(text, { plainBooleans: true }).value;
  } catch (error) {
    problems.add(path, errorMessage(error));
    return {};
  }
}

/** What must come from the environment is missed now, not at the first event. */
function checkRequiredEnvironment({ params }: TaskConfig, env: EnvironmentVariables, problems: Problems): void {
  params.forEach(({ source, required, default: fallback }, i) => {
    const name = typeof source === 'string' && source.startsWith('env.') ? source.slice(4) : undefined;
    if (name === undefined || !required || fallback !== undefined || env[name] !== undefined) return;
    problems.add(['params', i, 'source'], `the environment variable ${name} is required and not set`);
  });
}

function warningsOf({ preconditions }: TaskConfig, older: boolean): readonly string[] {
  if (older) return ['the configuration uses an older form; config-dump prints it in the current one'];
  return preconditions
    .filter(({ api_call: call }) => call !== undefined)
    .map(({ name }) => `precondition ${name}: api_call is better placed in params`);
}
