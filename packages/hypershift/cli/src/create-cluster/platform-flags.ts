import { type Command, Option } from 'commander';
import type { PlatformFlag } from '@hypershift-ts/hypershift-platforms';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../cli-error.ts';
import { flagValues } from '../terminal/index.ts';
import type { PlatformFlagValues } from './platform-builder.ts';

export const camelCase = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const placeholders: { readonly [kind in PlatformFlag['value']]: string } = {
  string: '<value>',
  strings: '<values>',
  boolean: '[true|false]',
  integer: '<n>',
  duration: '<duration>',
  path: '<file>',
};

/** A flag of a platform as commander wants it. Defaults stay with the builder, so that help and behaviour cannot differ. */
function optionFor(flag: PlatformFlag): Option {
  const required = flag.required ? ' (required)' : '';
  const option = new Option(`--${flag.name} ${placeholders[flag.value]}`, lower(flag.description) + required);
  if (flag.choices) option.choices(flag.choices);
  if (flag.value === 'strings')
    option.argParser((text: string, before?: readonly string[]) => [...(before ?? []), text]);
  if (flag.value === 'integer') option.argParser(flagValues.integer);
  if (flag.value === 'duration') option.argParser(flagValues.duration);
  if (flag.value === 'boolean') option.argParser(flagValues.boolean);
  if (flag.default !== undefined) option.default(flag.default);
  return option;
}

/** Descriptions of flags begin like the other ones: small, and without a full stop. */
function lower(description: string): string {
  const text = description.endsWith('.') ? description.slice(0, -1) : description;
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Adds the flags of a platform; one that every platform has already is left alone. */
export function addPlatformFlags(command: Command, flags: readonly PlatformFlag[]): Command {
  command.optionsGroup('Platform:');
  const known = new Set(command.options.map(({ long }) => long));
  for (const flag of flags) if (!known.has(`--${flag.name}`)) command.addOption(optionFor(flag));
  return command;
}

/** Reads the files that path flags name and checks that what is required was given. */
export async function platformFlagValues(
  flags: readonly PlatformFlag[],
  given: { readonly [name: string]: unknown },
  readFile: (path: string) => Promise<string>,
  simulatedFiles: { readonly [flag: string]: string } = {},
): Promise<PlatformFlagValues> {
  const files = new Map(Object.entries(simulatedFiles));
  const missing: string[] = [];
  for (const { name, value, required } of flags) {
    const text = given[camelCase(name)];
    if (required && (text === undefined || text === '') && !files.has(name)) missing.push(`--${name}`);
    if (value !== 'path' || typeof text !== 'string' || text === '') continue;
    try {
      files.set(name, await readFile(text));
    } catch (error) {
      throw new UserError(`--${name} ${text}: cannot be read: ${errorMessage(error)}`, 'Check the path.', {
        cause: error,
      });
    }
  }
  if (missing.length > 0)
    throw new UserError(`${missing.join(', ')} must be given`, 'Add --help to see what each of them means.');
  return valuesOf(given, files);
}

/** Flag values by name, for builders and their tests. */
export function valuesOf(
  given: { readonly [name: string]: unknown },
  files: ReadonlyMap<string, string> = new Map(),
): PlatformFlagValues {
  const value = (flag: string) => given[camelCase(flag)];
  const text = (flag: string) => {
    const found = value(flag);
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  const texts = (flag: string) => {
    const found = value(flag);
    return Array.isArray(found) ? (found as readonly string[]) : [];
  };
  return {
    text,
    texts,
    list: (flag) => texts(flag).flatMap(splitList),
    number: (flag) => {
      const found = value(flag);
      return typeof found === 'number' ? found : undefined;
    },
    isSet: (flag) => value(flag) === true,
    file: (flag) => files.get(flag),
  };
}

/** Several values in one, as in `--zones a,b`. */
function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
