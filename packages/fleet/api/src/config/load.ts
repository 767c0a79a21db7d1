import { existsSync, readFileSync } from 'node:fs';
import {
  decodeYaml,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@hypershift-ts/kube-apimachinery';
import { fileVariableOf, flagsOf, leavesOf, type Setting, variableOf } from './names.ts';
import type { Config } from './settings.ts';
import { type Branch, isLeaf, settings } from './tree.ts';

/** Thrown when the configuration cannot be used; names every offending setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface ConfigSources {
  /** Arguments after the command: `--server-port=8000`, `--server-port 8000`, `--config file`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Instead of a file. */
  readonly text?: string;
}

const usualFiles = ['/etc/hyperfleet/config.yaml', './configs/config.yaml'];

type Values = Map<string, unknown>;

/** Puts the configuration together: flags win over variables, variables over the file, the file over defaults. */
export function loadConfig(sources: ConfigSources = {}): Config {
  const { args = [], env = {} } = sources;
  const all = leavesOf(settings);
  const { values: flags, config } = readFlags(args, all);
  const text = sources.text ?? readConfigFile(config ?? env['HYPERFLEET_CONFIG']);
  const problems: string[] = [];
  const file: Values = new Map();
  if (text !== undefined) readTree(parseYaml(text), settings, [], file, problems);
  const variables = readVariables(env, all, problems);
  const given: Values = new Map([...file, ...variables, ...flags]);
  if (problems.length > 0) throw new ConfigError(`the configuration cannot be used: ${problems.join('; ')}`);
  return assemble(all, withDialect(given));
}

/** Without any word about a database, the embedded one serves. */
function withDialect(given: Values): Values {
  const isMentioned = [...given.keys()].some((name) => name.startsWith('database.') && name !== 'database.directory');
  return isMentioned ? given : new Map([...given, ['database.dialect', 'pglite']]);
}

function assemble(all: readonly Setting[], given: Values): Config {
  const root: Record<string, unknown> = {};
  for (const { path, leaf } of all) {
    const name = path.join('.');
    let branch = root;
    for (const step of path.slice(0, -1)) branch = (branch[step] ??= {}) as Record<string, unknown>;
    branch[path.at(-1) ?? ''] = given.has(name) ? given.get(name) : leaf.fallback;
  }
  return root as unknown as Config;
}

function readConfigFile(named: string | undefined): string | undefined {
  const file = named ?? usualFiles.find((one) => existsSync(one));
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`the configuration file ${file} cannot be read: ${errorMessage(cause)}`, { cause });
  }
}

function parseYaml(text: string): JsonObject {
  let value: JsonValue;
  try {
    ({ value } = decodeYaml(text));
  } catch (cause) {
    throw new ConfigError(`the configuration is not YAML: ${errorMessage(cause)}`, { cause });
  }
  if (value === null) return {};
  if (!isJsonObject(value)) throw new ConfigError('the configuration must be an object with sections');
  return value;
}

function readTree(value: JsonObject, branch: Branch, above: readonly string[], into: Values, problems: string[]): void {
  for (const [name, member] of Object.entries(value)) {
    const path = [...above, name];
    const node = Object.hasOwn(branch, name) ? branch[name] : undefined;
    if (!node) problems.push(`unknown key ${path.join('.')}`);
    else if (member === null || member === undefined) continue;
    else if (isLeaf(node)) attempt(problems, path.join('.'), () => into.set(path.join('.'), node.read(member)));
    else if (isJsonObject(member)) readTree(member, node, path, into, problems);
    else problems.push(`${path.join('.')} must be a section`);
  }
}

function attempt(problems: string[], name: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    problems.push(`${name} ${errorMessage(error)}`);
  }
}

function readVariables(
  env: Readonly<Record<string, string | undefined>>,
  all: readonly Setting[],
  problems: string[],
): Values {
  const values: Values = new Map();
  for (const setting of all) {
    const { parse } = setting.leaf;
    const variable = variableOf(setting);
    const fileVariable = fileVariableOf(setting);
    const file = fileVariable && env[fileVariable];
    attempt(problems, file ? fileVariable : variable, () => {
      const text = file ? readFileSync(file, 'utf8').trim() : env[variable];
      if (parse && text !== undefined && text !== '') values.set(setting.path.join('.'), parse(text));
    });
  }
  return values;
}

function readFlags(args: readonly string[], all: readonly Setting[]): { values: Values; config?: string } {
  const byFlag = new Map(all.flatMap((setting) => flagsOf(setting).map((flag) => [flag, setting] as const)));
  const values: Values = new Map();
  let config: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const [, name = '', inline] = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
    const setting = byFlag.get(name);
    if (name !== 'config' && !setting?.leaf.parse) throw new ConfigError(`unknown argument ${args[at]}`);
    const isSwitch = typeof setting?.leaf.fallback === 'boolean';
    const text = inline ?? (isSwitch ? 'true' : args[++at]);
    if (text === undefined) throw new ConfigError(`--${name} needs a value`);
    if (name === 'config') config = text;
    else if (setting?.leaf.parse) setFlag(values, setting, setting.leaf.parse, name, text);
  }
  return { values, ...(config === undefined ? {} : { config }) };
}

function setFlag(
  values: Values,
  { path }: Setting,
  parse: (text: string) => unknown,
  name: string,
  text: string,
): void {
  try {
    values.set(path.join('.'), parse(text));
  } catch (cause) {
    throw new ConfigError(`--${name} ${errorMessage(cause)}`, { cause });
  }
}
