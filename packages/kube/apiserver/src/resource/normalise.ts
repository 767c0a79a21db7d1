import { type Schema, type StatusError, statusErrors, tryParseQuantity } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';

/**
 * Reads a decoded body as a built-in kind, the way decoding into a Go struct does: unknown fields fall away (and
 * are told), null means absent, and a value of the wrong JSON type is an error naming its field. One walk, in place.
 */
export function normaliseBuiltin(draft: Draft, schema: Schema, kind: string, version: string): string[] {
  const walk = new Walk(kind, version);
  walk.object(draft, schema);
  return walk.unknown;
}

class Walk {
  readonly unknown: string[] = [];
  /** Where the walk stands; made a text only when something is wrong there. */
  private readonly steps: (string | number)[] = [];
  private readonly kind: string;
  private readonly version: string;

  constructor(kind: string, version: string) {
    this.kind = kind;
    this.version = version;
  }

  object(value: Draft, schema: Schema): void {
    const { properties, additionalProperties } = schema;
    // Free JSON (RawExtension, FieldsV1) is kept as it is, nulls included.
    if (!properties && typeof additionalProperties !== 'object') return;
    for (const key of Object.keys(value)) {
      const field = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
      const known = field ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      if (value[key] === undefined || (value[key] === null && field)) delete value[key];
      else if (value[key] === null && known) value[key] = isPlainText(known) ? '' : null;
      else if (known) this.child(value, key, known);
      else if (properties && additionalProperties !== true) {
        this.unknown.push(this.pathTo(key));
        delete value[key];
      }
    }
  }

  private child(parent: Draft | unknown[], key: string | number, schema: Schema): void {
    const values = parent as Draft;
    const before = values[key];
    // Parts taken over from the stored object have been here before.
    if (typeof before === 'object' && Object.isFrozen(before)) return;
    this.steps.push(key);
    const after = this.value(before, schema);
    this.steps.pop();
    if (after !== before) values[key] = after;
  }

  private value(value: unknown, schema: Schema): unknown {
    switch (schema.type) {
      case 'object':
        if (typeof value !== 'object' || Array.isArray(value)) throw this.mismatch(value, 'object');
        this.object(value as Draft, schema);
        return value;
      case 'array':
        if (!Array.isArray(value)) throw this.mismatch(value, 'array');
        if (schema.items)
          for (let i = 0; i < value.length; i++) if (value[i] !== null) this.child(value, i, schema.items);
        return value;
      case 'string':
        if (typeof value !== 'string') throw this.mismatch(value, 'string');
        if (schema.format === 'date-time') this.checkTime(value);
        else if (schema.format === 'byte') this.checkBase64(value);
        return value;
      case 'boolean':
        if (typeof value !== 'boolean') throw this.mismatch(value, 'bool');
        return value;
      case 'integer':
        return this.integer(value, schema);
      case 'number':
        if (typeof value !== 'number') throw this.mismatch(value, 'float64');
        return value;
      default:
        return this.untyped(value, schema);
    }
  }

  private integer(value: unknown, schema: Schema): unknown {
    const int32 = schema.format === 'int32';
    if (typeof value !== 'number' || !Number.isInteger(value)) throw this.mismatch(value, int32 ? 'int32' : 'int64');
    if (int32 && !isInt32(value)) throw this.mismatch(value, 'int32');
    return value;
  }

  /** Quantity and IntOrString have no single type; everything else without one is free JSON. */
  private untyped(value: unknown, schema: Schema): unknown {
    if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string']) {
      if (typeof value !== 'string' && !isInt32(value)) throw this.mismatch(value, 'int32');
      return value;
    }
    if (isQuantity(schema)) {
      if (typeof value !== 'string' && typeof value !== 'number') throw this.mismatch(value, 'resource.Quantity');
      const quantity = tryParseQuantity(value);
      if (quantity === undefined)
        throw this.failure(
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        );
      return quantity.toString();
    }
    return value;
  }

  private checkTime(value: string): void {
    if (
      !/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) ||
      Number.isNaN(Date.parse(value))
    )
      throw this.failure(
        `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(value)} as a time`,
      );
  }

  private checkBase64(value: string): void {
    if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw this.failure('illegal base64 data: the value must be standard base64 with padding');
  }

  private mismatch(value: unknown, wanted: string): StatusError {
    return this.failure(
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${this.kind}.${this.path()} of type ${wanted}`,
    );
  }

  private failure(message: string): StatusError {
    const detail = message.startsWith('json:') ? message : `${this.path()}: ${message}`;
    return statusErrors.badRequest(
      `${this.kind} in version "${this.version}" cannot be handled as a ${this.kind}: ${detail}`,
    );
  }

  private path(): string {
    return this.steps.reduce<string>((text, step) => below(text, step), '');
  }

  private pathTo(key: string): string {
    return below(this.path(), key);
  }
}

function below(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

function isInt32(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) <= 0x7fffffff && (value as number) >= -0x80000000;
}

/** A null in a map of strings decodes to the empty string in Go; in other maps it stays. */
function isPlainText({ type, format }: Schema): boolean {
  return type === 'string' && format === undefined;
}

function isQuantity(schema: Schema): boolean {
  return (
    schema.oneOf?.length === 2 &&
    schema.oneOf.some(({ type }) => type === 'number') &&
    schema.oneOf.some(({ type }) => type === 'string')
  );
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}
