import type { CST, Document, ParsedNode, ScalarTag, Tags } from 'yaml';
import { Composer, isMap, isScalar, LineCounter, Parser, visit } from 'yaml';
import type { JsonValue } from '../json.ts';
import type { Decoded } from './json.ts';
import { decodeJson } from './json.ts';
import type { DecodeOptions } from './limits.ts';
import { checkLength, checkMembers, DecodeError, maxYamlDepth, tooDeep } from './limits.ts';

/**
 * YAML as kubectl users write it and the API server reads it: version 1.1 booleans and octal numbers, but dates and
 * sexagesimals stay text, and everything ends up as JSON.
 */

const newOctal: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => {
    const digits = text.replace(/[-+_]/g, '').slice(2);
    return (text.startsWith('-') ? -1 : 1) * Number.parseInt(digits, 8);
  },
};

const unwanted = new Set(['tag:yaml.org,2002:timestamp', 'tag:yaml.org,2002:binary']);

function goTags(tags: Tags): Tags {
  const kept = tags.filter((tag) => {
    if (typeof tag === 'string') return !['timestamp', 'intTime', 'floatTime', 'binary'].includes(tag);
    return !unwanted.has(tag.tag) && (tag as ScalarTag).format !== 'TIME';
  });
  return [newOctal, ...kept];
}

const plainBoolean: ScalarTag = {
  identify: (value) => typeof value === 'boolean',
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/,
  resolve: (text) => text.toLowerCase() === 'true',
};

function plainBooleanTags(tags: Tags): Tags {
  const isBoolean = (tag: Tags[number]): boolean =>
    typeof tag === 'string' ? tag === 'bool' : tag.tag === 'tag:yaml.org,2002:bool';
  return [plainBoolean, ...goTags(tags).filter((tag) => !isBoolean(tag))];
}

const parserOptions = {
  version: '1.1',
  customTags: goTags,
  merge: true,
  uniqueKeys: false,
  strict: true,
  logLevel: 'error',
  stringKeys: false,
} as const;

// Aliases multiply what a small text stands for; real manifests use a handful.
const maxAliasCount = 10_000;

type YamlDocument = Document.Parsed;

/**
 * The first pass of the YAML library keeps its own stack, the second recurses. Running out of stack there can end the
 * whole process inside the engine's expression compiler, so depth is refused in the first pass.
 */
class BoundedParser extends Parser {
  override *next(source: string): Generator<CST.Token, void> {
    if (this.stack.length > maxYamlDepth) throw tooDeep();
    yield* super.next(source);
  }
}

function keyText(key: unknown): string | undefined {
  if (isScalar(key)) return String(key.value);
  return undefined;
}

/** Repeated keys in go-yaml's words. */
function duplicateKeys(document: YamlDocument, lines: LineCounter): string[] {
  const found: string[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const text = keyText(key);
        if (text === undefined || text === '<<') continue;
        if (seen.has(text)) {
          const { line } = lines.linePos((key as ParsedNode).range[0]);
          found.push(`line ${line}: key ${JSON.stringify(text)} already set in map`);
        }
        seen.add(text);
      }
    },
  });
  return found.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${found.join('\n  ')}`];
}

/** Makes JSON of what YAML may hold besides: infinities are refused, as Go's encoder refuses them. */
function checkNumbers(document: YamlDocument): void {
  visit(document, {
    Scalar(_, { value }) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw new DecodeError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
      }
    },
    Map(_, map) {
      for (const { key } of map.items) {
        if (isMap(key)) throw new DecodeError('unsupported map key of type: map');
      }
    },
  });
}

/** The JSON of one parsed document. */
export function decodeDocument(document: YamlDocument, lines: LineCounter, options: DecodeOptions): Decoded {
  const [error] = document.errors;
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    throw new DecodeError(`yaml: line ${line}: ${error.message}`, { cause: error });
  }
  checkNumbers(document);
  const value = (document.toJS({ maxAliasCount }) ?? null) as JsonValue;
  checkMembers(value);
  return { value, strictErrors: options.findDuplicates ? duplicateKeys(document, lines) : [] };
}

/** The documents of a text, parsed within the limit of depth. */
export function composeDocuments(text: string, lines: LineCounter, { plainBooleans }: DecodeOptions): YamlDocument[] {
  const options = plainBooleans ? { ...parserOptions, customTags: plainBooleanTags } : parserOptions;
  return [...new Composer(options).compose(new BoundedParser(lines.addNewLine).parse(text))] as YamlDocument[];
}

function parse(text: string, options: DecodeOptions): Decoded[] {
  checkLength(text, options);
  const lines = new LineCounter();
  try {
    return composeDocuments(text, lines, options).map((document) => decodeDocument(document, lines, options));
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    // Refused alias bombs arrive here.
    throw new DecodeError(`yaml: ${(error as Error).message}`, { cause: error });
  }
}

/** Decodes one YAML document; JSON, which clients often send under this name, takes the fast path. */
export function decodeYaml(text: string, options: DecodeOptions = {}): Decoded {
  if (/^\s*[{[]/.test(text)) {
    try {
      return decodeJson(text, options);
    } catch (error) {
      if (!(error instanceof DecodeError && error.cause instanceof SyntaxError)) throw error;
    }
  }
  const [first] = parse(text, options);
  return first ?? { value: null, strictErrors: [] };
}

/** Decodes a stream of documents separated by `---`, leaving out the empty ones. */
export function decodeYamlDocuments(text: string, options: DecodeOptions = {}): Decoded[] {
  return parse(text, options).filter(({ value }) => value !== null);
}
