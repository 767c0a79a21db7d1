import type { Document, Node } from 'yaml';
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter } from 'yaml';
import type { Decoded } from './json.ts';
import type { DecodeOptions } from './limits.ts';
import { checkLength, DecodeError } from './limits.ts';
import { composeDocuments, decodeDocument } from './yaml.ts';

/** A place in a text; both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A decoded document that still knows where its parts were written. */
export interface LocatedYaml extends Decoded {
  /** Where the value or key at a path stands, or the nearest thing above it that is there. */
  locate(path: readonly (string | number)[]): TextPosition;
}

/** Decodes one YAML (or JSON) document for people who will be told which line is wrong. */
export function decodeLocatedYaml(text: string, options: DecodeOptions = {}): LocatedYaml {
  checkLength(text, options);
  const lines = new LineCounter();
  let document: Document.Parsed | undefined;
  let decoded: Decoded;
  try {
    [document] = composeDocuments(text, lines, options);
    decoded = document ? decodeDocument(document, lines, options) : { value: null, strictErrors: [] };
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    throw new DecodeError(`yaml: ${(error as Error).message}`, { cause: error });
  }
  const locate = (path: readonly (string | number)[]): TextPosition => {
    const offset = document ? offsetAt(document, path) : 0;
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return { ...decoded, locate };
}

function offsetAt(document: Document.Parsed, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node, 0);
  for (const step of path) {
    const holder = isAlias(node) ? node.resolve(document) : node;
    if (isMap(holder)) {
      const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!isPair(pair)) break;
      offset = startOf(pair.key, offset);
      node = pair.value;
    } else if (isSeq(holder) && typeof step === 'number' && holder.items[step] !== undefined) {
      node = holder.items[step];
      offset = startOf(node, offset);
    } else break;
  }
  return offset;
}

function startOf(node: unknown, fallback: number): number {
  return (node as Node | null | undefined)?.range?.[0] ?? fallback;
}
