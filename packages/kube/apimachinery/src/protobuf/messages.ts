import { protobufJson } from '../builtin/generated/protobuf.ts';
import { apiVersionOf, type GroupVersionKind } from '../object.ts';

/** How one value of a field looks on the wire and in JSON. */
type FieldKind =
  | 'string'
  | 'bytes'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'message'
  | 'strings'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'rawJson'
  | 'schemaOrBool'
  | 'schemaOrArray'
  | 'schemaOrStrings';

export interface Field {
  readonly number: number;
  readonly name: string;
  readonly kind: FieldKind;
  /** Position in the message's Go struct, which is the order of Go's JSON. */
  readonly index: number;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly pointer: boolean;
  readonly repeated: boolean;
  readonly map: boolean;
  /** The nested message's fields are the parent's in JSON. */
  readonly inline: boolean;
  /** For `message`, and the schema half of the `schemaOr...` kinds. */
  readonly message: Message | undefined;
}

export interface Message {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byNumber: readonly (Field | undefined)[];
  /** Highest number first: the order in which a backward writer needs them. */
  readonly descending: readonly Field[];
}

type FieldRow = readonly [number: number, name: string, kind: FieldKind, flags: string, message?: string];

interface Tables {
  readonly kinds: { readonly [gvk: string]: string };
  readonly metaKinds: { readonly [kind: string]: string };
  readonly messages: ReadonlyMap<string, Message>;
}

let tables: Tables | undefined;

function load(): Tables {
  if (tables) return tables;
  const raw = JSON.parse(protobufJson) as {
    kinds: Record<string, string>;
    metaKinds: Record<string, string>;
    messages: Record<string, readonly FieldRow[]>;
  };
  const messages = new Map<string, { name: string; fields: Field[]; byNumber: Field[]; descending: Field[] }>();
  for (const name of Object.keys(raw.messages)) messages.set(name, { name, fields: [], byNumber: [], descending: [] });
  for (const [name, rows] of Object.entries(raw.messages)) {
    const message = messages.get(name);
    if (!message) continue;
    rows.forEach(([number, fieldName, kind, flags, target], index) => {
      const field: Field = {
        number,
        name: fieldName,
        kind,
        index,
        omitEmpty: flags.includes('o'),
        omitZero: flags.includes('z'),
        pointer: flags.includes('p'),
        repeated: flags.includes('r'),
        map: flags.includes('m'),
        inline: flags.includes('i'),
        message: target === undefined ? undefined : messages.get(target),
      };
      message.fields.push(field);
      message.byNumber[number] = field;
    });
    message.descending = [...message.fields].sort((a, b) => b.number - a.number);
  }
  tables = { kinds: raw.kinds, metaKinds: raw.metaKinds, messages };
  return tables;
}

/**
 * The message of a kind, or undefined when it has no protobuf form. The kinds of meta/v1 (DeleteOptions, Status,
 * ...) are found under any group-version, because Go clients stamp them with the one they talk to.
 */
export function messageOf(gvk: GroupVersionKind): Message | undefined {
  const { kinds, metaKinds, messages } = load();
  const key = `${gvk.group}/${gvk.version}/${gvk.kind}`;
  if (Object.hasOwn(kinds, key)) return messages.get(kinds[key] ?? '');
  return Object.hasOwn(metaKinds, gvk.kind) ? messages.get(metaKinds[gvk.kind] ?? '') : undefined;
}

/** Whether bodies of this kind may travel as protobuf. */
export function hasProtobuf(gvk: GroupVersionKind): boolean {
  return messageOf(gvk) !== undefined;
}

export function describeKind(gvk: GroupVersionKind): string {
  return `no kind "${gvk.kind}" is registered for version "${apiVersionOf(gvk)}"`;
}
