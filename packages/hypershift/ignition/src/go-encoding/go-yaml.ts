import type { JsonObject, JsonPrimitive, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { compareYamlKeys } from './yaml-key-order.ts';
import { yamlString } from './yaml-scalar.ts';

/**
 * The bytes that Kubernetes' YAML serializer writes for this value. Rollout hashes cover such text, so every blank
 * matters: another layout of the same data would roll every node of a cluster that is taken over.
 */
export function goYaml(value: JsonValue): string {
  const lines = node(value, 0, false);
  return `${lines.startsWith('\n') ? lines.slice(1) : lines.trimStart()}\n`;
}

/** The node with what separates it from its key: a blank, or a line break when it is a block. */
function node(value: JsonValue, indent: number, inSequence: boolean): string {
  if (isList(value)) return sequence(value, inSequence ? indent : indent - 2);
  if (isScalar(value)) return ` ${scalar(value, indent, 0)}`;
  return mapping(value, indent);
}

function mapping(value: JsonObject, indent: number): string {
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort(compareYamlKeys);
  if (keys.length === 0) return ' {}';
  return keys.map((key) => `\n${' '.repeat(Math.max(indent, 0))}${entry(key, value[key] ?? null, indent)}`).join('');
}

function entry(key: string, value: JsonValue, indent: number): string {
  const name = keyText(key, indent);
  if (isScalar(value)) return `${name}: ${scalar(value, indent + 2, indent + length(name) + 2)}`;
  return `${name}:${node(value, indent + 2, false)}`;
}

/** Items stand at the depth of their key; a mapping in an item starts on the item's line. */
function sequence(items: readonly JsonValue[], indent: number): string {
  if (items.length === 0) return ' []';
  const at = Math.max(indent, 0);
  const pad = ' '.repeat(at);
  return items
    .map((item) => {
      if (isScalar(item)) return `\n${pad}- ${scalar(item, at + 2, at + 2)}`;
      const block = node(item, at + 2, true);
      return `\n${pad}-${block.startsWith('\n') ? ` ${block.slice(1).slice(at + 2)}` : block}`;
    })
    .join('');
}

function keyText(key: string, indent: number): string {
  // Such keys need YAML's explicit `? ` form; no field, label or file name of a node needs one.
  if (/[\r\n\u0085\u2028\u2029]/.test(key) || Buffer.byteLength(key) > 128)
    throw new RangeError(`map keys must be one line of at most 128 bytes: ${key.slice(0, 40)}`);
  return yamlString(key, { column: indent, indent, key: true });
}

function scalar(value: JsonPrimitive, indent: number, column: number): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return yamlString(value, { column, indent, key: false });
  if (typeof value === 'number') return goNumber(value);
  return String(value);
}

/** Whole numbers in full, others as Go's shortest `%g`. */
function goNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const isScalar = (value: JsonValue): value is JsonPrimitive => value === null || typeof value !== 'object';
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
const length = (text: string): number => Array.from(text).length;
