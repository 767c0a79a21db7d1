import { type Command, Option } from 'commander';
import { stringify } from 'yaml';

const outputFormats = ['json', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** `-o json|yaml` for commands that otherwise print for people. */
export function outputOption(command: Command): Command {
  return command.addOption(new Option('-o, --output <format>', 'print objects for programs').choices(outputFormats));
}

export function yamlText(value: unknown): string {
  // Long messages stay on one line, nothing is written as an alias, and what older readers take for a boolean is quoted.
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}

export function formatted(value: unknown, format: OutputFormat): string {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : yamlText(value);
}

/** YAML documents as `kubectl apply -f -` reads them. */
export function yamlDocuments(objects: readonly unknown[]): string {
  return objects.map((object) => `${yamlText(object)}---\n`).join('');
}
