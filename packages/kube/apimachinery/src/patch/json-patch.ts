import type { JsonValue } from '../json.ts';
import { isJsonObject, jsonClone, jsonEqual } from '../json.ts';
import { StatusError } from '../status.ts';
import { badPatch, patchDoesNotApply } from './errors.ts';
import { arrayIndex, parsePointer } from './json-pointer.ts';

/** Limits of the real API server. */
const maxOperations = 10_000;
const maxCopyBytes = 3 * 1024 * 1024;

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

type Container = Record<string, JsonValue> | JsonValue[];

/** A document being patched. Containers are copied the first time they are written, then written in place. */
class Draft {
  root: JsonValue;
  private readonly owned = new Set<object>();
  private copied = 0;

  constructor(root: JsonValue) {
    this.root = root;
  }

  private writable(container: JsonValue): Container {
    if (typeof container !== 'object' || container === null) throw patchDoesNotApply('the path leads into a scalar');
    if (this.owned.has(container)) return container as Container;
    const copy: Container = Array.isArray(container)
      ? (container.slice() as JsonValue[])
      : { ...(container as Record<string, JsonValue>) };
    this.owned.add(copy);
    return copy;
  }

  /** The container that holds the last token, made writable along with everything above it. */
  private parentOf(tokens: readonly string[]): Container {
    let parent = this.writable(this.root);
    this.root = parent;
    for (let i = 0; i < tokens.length - 1; i++) {
      const token = tokens[i] ?? '';
      if (Array.isArray(parent)) {
        const index = arrayIndex(token, parent.length);
        const child = this.writable(parent[index] ?? null);
        parent[index] = child;
        parent = child;
      } else {
        if (!Object.hasOwn(parent, token)) throw patchDoesNotApply(`missing path: ${tokens.join('/')}`);
        const child = this.writable(parent[token] ?? null);
        parent[token] = child;
        parent = child;
      }
    }
    return parent;
  }

  /** The value at a path; a missing member of an existing object is undefined. */
  read(tokens: readonly string[]): JsonValue | undefined {
    let value: JsonValue | undefined = this.root;
    for (const token of tokens) {
      if (Array.isArray(value)) value = value[arrayIndex(token, value.length)] as JsonValue;
      else if (isJsonObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
      else throw patchDoesNotApply(`missing path: /${tokens.join('/')}`);
    }
    return value;
  }

  add(tokens: readonly string[], value: JsonValue): void {
    const key = tokens.at(-1);
    if (key === undefined) {
      this.root = value;
      return;
    }
    const parent = this.parentOf(tokens);
    if (!Array.isArray(parent)) parent[key] = value;
    else if (key === '-') parent.push(value);
    else parent.splice(arrayIndex(key, parent.length + 1), 0, value);
  }

  remove(tokens: readonly string[]): JsonValue {
    const key = tokens.at(-1);
    if (key === undefined) throw patchDoesNotApply('the whole document cannot be removed');
    const parent = this.parentOf(tokens);
    if (Array.isArray(parent)) return parent.splice(arrayIndex(key, parent.length), 1)[0] as JsonValue;
    if (!Object.hasOwn(parent, key)) throw patchDoesNotApply(`unable to remove nonexistent key: ${key}`);
    const removed = parent[key] as JsonValue;
    delete parent[key];
    return removed;
  }

  replace(tokens: readonly string[], value: JsonValue): void {
    const key = tokens.at(-1);
    if (key === undefined) {
      this.root = value;
      return;
    }
    const parent = this.parentOf(tokens);
    if (Array.isArray(parent)) parent[arrayIndex(key, parent.length)] = value;
    else if (Object.hasOwn(parent, key)) parent[key] = value;
    else throw patchDoesNotApply(`replace operation does not apply: missing key: ${key}`);
  }

  copy(from: readonly string[], to: readonly string[]): void {
    const value = this.read(from);
    if (value === undefined) throw patchDoesNotApply(`copy operation does not apply: missing path: ${from.join('/')}`);
    this.copied += Buffer.byteLength(JSON.stringify(value));
    if (this.copied > maxCopyBytes) {
      throw patchDoesNotApply(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.copied}, exceeding the limit ${maxCopyBytes}`,
      );
    }
    // A copy of its own, so that a later write to one place does not show in the other.
    this.add(to, jsonClone(value));
  }
}

function isPrefix(prefix: readonly string[], path: readonly string[]): boolean {
  return prefix.length < path.length && prefix.every((token, index) => path[index] === token);
}

function pointerMember(operation: Record<string, unknown>, member: 'path' | 'from'): string[] {
  const pointer = operation[member];
  if (typeof pointer !== 'string') throw patchDoesNotApply(`operation is missing "${member}"`);
  return parsePointer(pointer);
}

function valueMember(operation: Record<string, unknown>): JsonValue {
  const value = operation['value'] as JsonValue | undefined;
  if (value === undefined) throw patchDoesNotApply('operation is missing "value"');
  return value;
}

function applyOperation(draft: Draft, operation: Record<string, unknown>): void {
  const path = pointerMember(operation, 'path');
  switch (operation['op']) {
    case 'add':
      return draft.add(path, valueMember(operation));
    case 'remove':
      return void draft.remove(path);
    case 'replace':
      return draft.replace(path, valueMember(operation));
    case 'move': {
      const from = pointerMember(operation, 'from');
      if (isPrefix(from, path)) throw patchDoesNotApply('a value cannot be moved into itself');
      return draft.add(path, draft.remove(from));
    }
    case 'copy':
      return draft.copy(pointerMember(operation, 'from'), path);
    case 'test': {
      // As upstream has it, a missing member passes a test for null.
      const actual = draft.read(path) ?? null;
      if (jsonEqual(actual, operation['value'] ?? null)) return;
      throw patchDoesNotApply(`testing path ${String(operation['path'])} value failed`);
    }
    default:
      throw patchDoesNotApply(`Unexpected kind: ${String(operation['op'])}`);
  }
}

/**
 * JSON Patch (RFC 6902). Returns a new document that shares every untouched part; arguments are never changed.
 * Throws 400 for what is no patch, 413 for too many operations, 422 for operations that do not apply.
 */
export function applyJsonPatch<T extends object>(document: T, patch: unknown): T {
  if (!Array.isArray(patch)) {
    const found = patch === null ? 'null' : typeof patch;
    throw badPatch(`json: cannot unmarshal ${found} into Go value of type jsonpatch.Patch`);
  }
  if (patch.length > maxOperations) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  const draft = new Draft(document as unknown as JsonValue);
  for (const operation of patch as unknown[]) {
    if (!isJsonObject(operation)) {
      throw badPatch('json: cannot unmarshal JSON value into Go value of type jsonpatch.Operation');
    }
    applyOperation(draft, operation);
  }
  if (!isJsonObject(draft.root)) throw patchDoesNotApply('the patched document is not an object');
  return draft.root as unknown as T;
}
