/** Ignition 3.0 to 3.5 as data: one table drives parsing, checking, merging and writing. */

/** `needed`: has no "unset" in the format, so a later config always replaces it. `since`: minor version of 3.x. */
interface Scalar {
  readonly kind: 'string' | 'int' | 'bool';
  readonly needed?: true;
  readonly since: number;
}

interface Nested {
  readonly kind: 'struct';
  readonly struct: Struct;
  readonly since: number;
}

/**
 * How two lists become one: `append` joins them; `key` merges entries of the same key. Lists of one `family` share
 * their keys: a file replaces a link of the same path.
 */
export interface List {
  readonly kind: 'list';
  readonly item: 'string' | Struct;
  readonly merge: 'append' | 'key';
  readonly family?: string;
  readonly since: number;
}

export type Field = Scalar | Nested | List;

export interface Struct {
  readonly name: string;
  /** In the order in which they are written. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly keyOf?: (value: Readonly<Record<string, unknown>>) => string;
}

const string: Scalar = { kind: 'string', since: 0 };
const int: Scalar = { kind: 'int', since: 0 };
const bool: Scalar = { kind: 'bool', since: 0 };
const neededString: Scalar = { kind: 'string', needed: true, since: 0 };

const keyField = (field: string) => (value: Readonly<Record<string, unknown>>) => textOf(value[field]);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function struct(name: string, fields: Readonly<Record<string, Field>>, keyOf?: Struct['keyOf']): Struct {
  return { name, fields: new Map(Object.entries(fields)), ...(keyOf ? { keyOf } : {}) };
}

const nested = (of: Struct): Nested => ({ kind: 'struct', struct: of, since: 0 });
const appended = (item: 'string' | Struct): List => ({ kind: 'list', item, merge: 'append', since: 0 });
const keyed = (item: 'string' | Struct, family?: string): List => ({
  kind: 'list',
  item,
  merge: 'key',
  since: 0,
  ...(family ? { family } : {}),
});
const since = <F extends Field>(minor: number, field: F): F => ({ ...field, since: minor });

const header = struct('httpHeader', { name: neededString, value: string }, keyField('name'));
const resource = struct(
  'resource',
  {
    compression: string,
    httpHeaders: since(1, keyed(header)),
    source: string,
    verification: nested(struct('verification', { hash: string })),
  },
  keyField('source'),
);
const owner = nested(struct('owner', { id: int, name: string }));
const node = { group: owner, overwrite: bool, path: neededString, user: owner };

const partition = struct(
  'partition',
  {
    guid: string,
    label: string,
    number: { kind: 'int', needed: true, since: 0 },
    resize: since(2, bool),
    shouldExist: bool,
    sizeMiB: int,
    startMiB: int,
    typeGuid: string,
    wipePartitionEntry: bool,
  },
  ({ number, label }) => (number ? `number:${textOf(number)}` : label === undefined ? '' : `label:${textOf(label)}`),
);
const disk = struct(
  'disk',
  { device: neededString, partitions: keyed(partition), wipeTable: bool },
  keyField('device'),
);
const filesystem = struct(
  'filesystem',
  {
    device: neededString,
    format: string,
    label: string,
    mountOptions: since(1, appended('string')),
    options: appended('string'),
    path: string,
    uuid: string,
    wipeFilesystem: bool,
  },
  keyField('device'),
);
const tang = struct(
  'tang',
  { advertisement: since(4, string), thumbprint: string, url: neededString },
  keyField('url'),
);
const clevis = struct('clevis', {
  custom: nested(struct('clevisCustom', { config: string, needsNetwork: bool, pin: string })),
  tang: keyed(tang),
  threshold: int,
  tpm2: bool,
});
const luks = struct(
  'luks',
  {
    cex: since(5, nested(struct('cex', { enabled: bool }))),
    clevis: nested(clevis),
    device: string,
    discard: since(4, bool),
    keyFile: nested(resource),
    label: string,
    name: neededString,
    openOptions: since(4, keyed('string')),
    options: appended('string'),
    uuid: string,
    wipeVolume: bool,
  },
  keyField('name'),
);
const raid = struct(
  'raid',
  { devices: keyed('string'), level: string, name: neededString, options: appended('string'), spares: int },
  keyField('name'),
);

const storage = struct('storage', {
  directories: keyed(struct('directory', { ...node, mode: int }, keyField('path')), 'node'),
  disks: keyed(disk),
  files: keyed(
    struct('file', { ...node, append: appended(resource), contents: nested(resource), mode: int }, keyField('path')),
    'node',
  ),
  filesystems: keyed(filesystem),
  links: keyed(struct('link', { ...node, hard: bool, target: string }, keyField('path')), 'node'),
  luks: since(2, keyed(luks)),
  raid: keyed(raid),
});

const user = struct(
  'user',
  {
    gecos: string,
    groups: keyed('string'),
    homeDir: string,
    name: neededString,
    noCreateHome: bool,
    noLogInit: bool,
    noUserGroup: bool,
    passwordHash: string,
    primaryGroup: string,
    sshAuthorizedKeys: keyed('string'),
    shell: string,
    shouldExist: since(2, bool),
    system: bool,
    uid: int,
  },
  keyField('name'),
);
const group = struct(
  'group',
  { gid: int, name: neededString, passwordHash: string, shouldExist: since(2, bool), system: bool },
  keyField('name'),
);

const unit = struct(
  'unit',
  {
    contents: string,
    dropins: keyed(struct('dropin', { contents: string, name: neededString }, keyField('name'))),
    enabled: bool,
    mask: bool,
    name: neededString,
  },
  keyField('name'),
);

const ignition = struct('ignition', {
  config: nested(struct('ignitionConfig', { merge: keyed(resource), replace: nested(resource) })),
  proxy: since(1, nested(struct('proxy', { httpProxy: string, httpsProxy: string, noProxy: keyed('string') }))),
  security: nested(struct('security', { tls: nested(struct('tls', { certificateAuthorities: keyed(resource) })) })),
  timeouts: nested(struct('timeouts', { httpResponseHeaders: int, httpTotal: int })),
  version: neededString,
});

/** The whole document. */
export const configStruct: Struct = struct('config', {
  ignition: nested(ignition),
  kernelArguments: since(
    3,
    nested(
      struct('kernelArguments', {
        shouldExist: keyed('string', 'kernelArgument'),
        shouldNotExist: keyed('string', 'kernelArgument'),
      }),
    ),
  ),
  passwd: nested(struct('passwd', { groups: keyed(group), users: keyed(user) })),
  storage: nested(storage),
  systemd: nested(struct('systemd', { units: keyed(unit) })),
});
