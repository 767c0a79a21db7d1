import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { decodeProtobuf, encodeProtobuf } from './envelope.ts';

interface SparseObject {
  readonly name: string;
  readonly protobuf: string;
  readonly json: JsonObject;
  /** The protobuf that Go makes of the JSON; not the same bytes where JSON says less. */
  readonly fromJson: string;
}

const objects = JSON.parse(
  readFileSync(process.env.SPARSE_OBJECTS ?? join(import.meta.dirname, 'generated/sparse-objects.json'), 'utf8'),
) as SparseObject[];

describe('objects that Go encoded with fields left empty', () => {
  it.each(objects)('When $name is decoded, it should print as Go prints it', ({ protobuf, json }) => {
    expect(JSON.stringify(decodeProtobuf(Buffer.from(protobuf, 'base64')))).toBe(JSON.stringify(json));
  });

  it.each(objects)(
    'When $name is encoded, it should give the bytes that Go makes of the JSON',
    ({ json, fromJson }) => {
      expect(Buffer.from(encodeProtobuf(json)).toString('base64')).toBe(fromJson);
    },
  );
});
