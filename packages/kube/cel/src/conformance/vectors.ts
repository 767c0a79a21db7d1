/** Reads the vectors of @bufbuild/cel-spec (taken from cel-spec and cel-go) into our types and values. */
import type { SerializedIncrementalTest, SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import type { CelType } from '../check/type.ts';
import * as types from '../check/type.ts';
import { parseGoDuration, parseRfc3339 } from '../values/time.ts';
import type { CelValue } from '../values/value.ts';
import { CelDuration, CelMap, CelTimestamp, CelTypeValue, CelUint, double, int } from '../values/value.ts';

type Json = Record<string, unknown>;

export interface Vector {
  /** suite/group/name */
  readonly id: string;
  readonly suite: string;
  readonly test: SerializedIncrementalTest;
}

/** All tests of a suite tree; unnamed ones are named after their expression. */
export function vectorsOf(root: SerializedIncrementalTestSuite): Vector[] {
  const found: Vector[] = [];
  const walk = (suite: SerializedIncrementalTestSuite, path: readonly string[]): void => {
    for (const test of suite.tests ?? []) {
      const id = [...path, test.original.name ?? test.original.expr].join('/');
      found.push({ id, suite: path[0] ?? suite.name, test });
    }
    for (const inner of suite.suites ?? []) walk(inner, [...path, inner.name]);
  };
  walk(root, []);
  return found;
}

/** Message types and enums have no counterpart in Kubernetes. */
class NeedsProtobuf extends Error {}

const PRIMITIVES: Readonly<Record<string, CelType>> = {
  BOOL: types.BOOL,
  INT64: types.INT,
  UINT64: types.UINT,
  DOUBLE: types.DOUBLE,
  STRING: types.STRING,
  BYTES: types.BYTES,
};

export function typeOf(json: Json): CelType {
  const [[kind, value]] = Object.entries(json) as [[string, unknown]];
  switch (kind) {
    case 'primitive':
      return PRIMITIVES[value as string]!;
    case 'wellKnown':
      if (value === 'ANY') return types.DYN;
      return value === 'TIMESTAMP' ? types.TIMESTAMP : types.DURATION;
    case 'dyn':
      return types.DYN;
    case 'null':
      return types.NULL;
    case 'listType':
      return types.listType(typeOf((value as Json).elemType as Json));
    case 'mapType':
      return types.mapType(typeOf((value as Json).keyType as Json), typeOf((value as Json).valueType as Json));
    case 'type':
      return types.typeType(typeOf(value as Json));
    case 'typeParam':
      return types.paramType(value as string);
    case 'abstractType': {
      const { name, parameterTypes = [] } = value as { name: string; parameterTypes?: Json[] };
      return types.opaqueType(name, ...parameterTypes.map(typeOf));
    }
    case 'wrapper':
      return types.nullableType(PRIMITIVES[value as string]!);
    case 'messageType':
      if (value === 'google.protobuf.Duration') return types.DURATION;
      if (value === 'google.protobuf.Timestamp') return types.TIMESTAMP;
      throw new NeedsProtobuf(String(value));
    default:
      throw new NeedsProtobuf(kind);
  }
}

export function valueOf(json: Json): CelValue {
  const entry = Object.entries(json)[0];
  if (!entry) throw new NeedsProtobuf('empty value');
  const [kind, value] = entry;
  switch (kind) {
    case 'int64Value':
      return int(BigInt(value as string));
    case 'uint64Value':
      return new CelUint(BigInt(value as string));
    case 'doubleValue':
      return double(Number(value));
    case 'stringValue':
    case 'boolValue':
      return value;
    case 'nullValue':
      return null;
    case 'bytesValue':
      return new Uint8Array(Buffer.from(value as string, 'base64'));
    case 'typeValue':
      return new CelTypeValue(value as string);
    case 'listValue':
      return ((value as { values?: Json[] }).values ?? []).map(valueOf);
    case 'mapValue': {
      const map = new CelMap();
      for (const item of (value as { entries?: { key: Json; value: Json }[] }).entries ?? []) {
        map.set(valueOf(item.key), valueOf(item.value));
      }
      return map;
    }
    case 'objectValue':
      return wellKnown(value as Json);
    default:
      throw new NeedsProtobuf(kind);
  }
}

function wellKnown(json: Json): CelValue {
  switch (json['@type']) {
    case 'type.googleapis.com/google.protobuf.Timestamp':
      return new CelTimestamp(parseRfc3339(json.value as string)!);
    case 'type.googleapis.com/google.protobuf.Duration':
      return new CelDuration(parseGoDuration(json.value as string)!);
    default:
      throw new NeedsProtobuf(String(json['@type']));
  }
}
