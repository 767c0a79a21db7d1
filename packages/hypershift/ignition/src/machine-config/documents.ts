import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { normalisedDocument } from './config-kinds.ts';

/** What is wrong with a pool's config, every document of it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`);
    this.problems = problems;
  }
}

/** A ConfigMap that holds config under its key `config`. */
export interface ConfigSource {
  readonly name: string;
  readonly data?: Readonly<Record<string, string>>;
}

/**
 * Cuts text at its `---` lines as Kubernetes' reader does. The first separator stays part of the document after it, so
 * that kinds counted letter for letter keep their hash.
 */
export function splitDocuments(text: string): string[] {
  const documents: string[] = [];
  let document = '';
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const raw of lines) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.startsWith('---')) {
      const rest = line.slice(3).trim();
      if (rest !== '' && !rest.startsWith('#')) throw new Error(`invalid Yaml document separator: ${rest}`);
      if (document !== '') {
        documents.push(document);
        document = '';
        continue;
      }
    }
    document += `${line}\n`;
  }
  if (document !== '') documents.push(document);
  return documents.filter((one) => one.trim() !== '');
}

/** The documents of the ConfigMaps as they are hashed and stored, in the order given. Throws ConfigError. */
export function normalisedDocuments(sources: readonly ConfigSource[]): string[] {
  const problems: string[] = [];
  const documents = sources.flatMap(({ name, data }) => {
    const known = data && normalised.get(data);
    if (known) return known;
    const before = problems.length;
    const found = documentsOf(name, data?.['config'] ?? '', problems);
    // What a cache hands out is frozen and stays the same object until it changes.
    if (data && Object.isFrozen(data) && problems.length === before) normalised.set(data, found);
    return found;
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return documents;
}

const normalised = new WeakMap<object, readonly string[]>();

function documentsOf(name: string, config: string, problems: string[]): readonly string[] {
  try {
    return splitDocuments(config).flatMap((text) => {
      try {
        return [normalise(text)];
      } catch (error) {
        problems.push(`configmap "${name}" yaml document failed validation: ${(error as Error).message}`);
        return [];
      }
    });
  } catch (error) {
    problems.push(`configmap "${name}" contains invalid yaml: ${(error as Error).message}`);
    return [];
  }
}

function normalise(original: string): string {
  let raw = decoded(original);
  let text = original;
  if (raw['kind'] === 'ClusterImagePolicy' && raw['apiVersion'] === 'config.openshift.io/v1alpha1') {
    text = original.replace('config.openshift.io/v1alpha1', 'config.openshift.io/v1');
    raw = decoded(text);
  }
  return normalisedDocument(text, raw);
}

function decoded(text: string): JsonObject {
  let value: unknown;
  try {
    ({ value } = decodeYaml(text));
  } catch (error) {
    throw new Error(`error decoding config: ${(error as Error).message}`, { cause: error });
  }
  // Comments alone are a document for the reader, but no object.
  return isJsonObject(value) ? value : {};
}
