import { type JsonValue, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import { defaultEntities, managementClusterEntity } from '../registry/index.ts';

/** One setting: how its value is read, and what it is when nobody says. */
export interface Leaf {
  readonly leaf: true;
  readonly fallback: unknown;
  /** Reads a value of a file; throws with what it must be. */
  readonly read: (value: JsonValue) => unknown;
  /** Reads a flag or an environment variable; undefined when the setting cannot be given as text. */
  readonly parse: ((text: string) => unknown) | undefined;
}

export interface Branch {
  readonly [name: string]: Leaf | Branch;
}

export const isLeaf = (node: Leaf | Branch): node is Leaf => (node as { leaf?: unknown }).leaf === true;

function expected(what: string): never {
  throw new Error(`must be ${what}`);
}

function text(fallback = ''): Leaf {
  const read = (value: JsonValue) => {
    if (value === null) return '';
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : expected('a text');
  };
  return { leaf: true, fallback, read, parse: (value) => value };
}

function oneOf(words: readonly string[], fallback: string): Leaf {
  const parse = (value: string) => (words.includes(value) ? value : expected(`one of ${words.join(', ')}`));
  return { leaf: true, fallback, read: (value) => parse(typeof value === 'string' ? value : ''), parse };
}

function flag(fallback: boolean): Leaf {
  const parse = (value: string) =>
    /^(true|1|yes)$/i.test(value) || (/^(false|0|no)$/i.test(value) ? false : expected('true or false'));
  return {
    leaf: true,
    fallback,
    read: (value) => (typeof value === 'boolean' ? value : expected('true or false')),
    parse,
  };
}

function count(fallback: number, min = 0, max = 2_147_483_647): Leaf {
  const check = (value: number) =>
    Number.isInteger(value) && value >= min && value <= max ? value : expected(`a number from ${min} to ${max}`);
  return {
    leaf: true,
    fallback,
    read: (value) => check(typeof value === 'number' ? value : Number.NaN),
    parse: (value) => check(value.trim() === '' ? Number.NaN : Number(value)),
  };
}

function duration(fallback: string): Leaf {
  const parse = (value: string) => {
    const ms = parseGoDuration(value);
    return ms === undefined || ms < 0 ? expected('a duration such as 30s or 5m') : ms;
  };
  return {
    leaf: true,
    fallback: parse(fallback),
    read: (value) => parse(typeof value === 'string' ? value : ''),
    parse,
  };
}

/** Lists of words, in variables and flags separated by commas. */
function words(fallback: readonly string[]): Leaf {
  const read = (value: JsonValue) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : expected('a list of texts');
  return {
    leaf: true,
    fallback,
    read,
    parse: (value) =>
      value
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
  };
}

/** Lists of objects with known members; only files can have them. */
function objects(shape: ObjectShape, required: readonly string[], fallback: readonly unknown[] = []): Leaf {
  return { leaf: true, fallback, read: (value) => readList(value, shape, required), parse: undefined };
}

type Reader = (value: JsonValue) => unknown;
interface ObjectShape {
  readonly [member: string]: Reader;
}

function readList(value: JsonValue, shape: ObjectShape, required: readonly string[]): unknown[] {
  if (!Array.isArray(value)) return expected('a list');
  return value.map((item, index) => {
    try {
      return readObject(item as JsonValue, shape, required);
    } catch (error) {
      throw new Error(`[${index}] ${(error as Error).message}`, { cause: error });
    }
  });
}

function readObject(value: JsonValue, shape: ObjectShape, required: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return expected('an object');
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const read = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!read) throw new Error(`has the unknown key "${name}"`);
    try {
      if (member !== null && member !== undefined) result[name] = read(member);
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  const missing = required.find((name) => result[name] === undefined);
  if (missing !== undefined) throw new Error(`needs the key "${missing}"`);
  return result;
}

const aText: Reader = text().read;
const aFlag: Reader = flag(false).read;
const aCount: Reader = count(0).read;
const someWords: Reader = words([]).read;
const expression: Reader = (value) => readObject(value, { expression: aText }, ['expression']);

const outputs = ['status', 'reason', 'message'];
const mappingOutput: Reader = (value) =>
  readObject(value, { status: expression, reason: expression, message: expression }, outputs);

const issuer: ObjectShape = Object.fromEntries(
  [
    'issuer_url',
    'jwk_cert_url',
    'jwk_cert_file',
    'jwk_cert_ca_file',
    'header',
    'audience',
    'identity_claim',
    'identity_claim_pattern',
    'identity_header',
  ].map((name) => [name, aText]),
);

const entity: ObjectShape = {
  kind: aText,
  plural: aText,
  parent_kind: aText,
  on_parent_delete: aText,
  spec_schema_name: aText,
  require_spec_schema: aFlag,
  required_adapters: someWords,
  name_min_len: aCount,
  name_max_len: aCount,
  references: (value) =>
    readList(value, { ref_type: aText, target_kind: aText, min: aCount, max: aCount }, ['ref_type', 'target_kind']),
  conditions: (value) =>
    readList(value, { type: aText, when: expression, output: mappingOutput }, ['type', 'when', 'output']),
};

const port = (fallback: number) => count(fallback, 0, 65_535);
const tls = { enabled: flag(false), cert_file: text(), key_file: text() };

/** Every setting there is; a file may name nothing else. */
export const settings: Branch = {
  server: {
    hostname: text(),
    host: text('localhost'),
    port: port(8000),
    openapi_schema_path: text(),
    timeouts: { read: duration('5s'), write: duration('30s') },
    tls,
    jwt: { enabled: flag(true), configs: objects(issuer, ['issuer_url']) },
    tenant: {
      enabled: flag(false),
      system_header: text(),
      dimensions: objects({ header: aText, key: aText, required: aFlag }, ['header', 'key']),
    },
  },
  database: {
    dialect: oneOf(['postgres', 'pglite'], 'postgres'),
    directory: text(),
    host: text('localhost'),
    port: port(5432),
    name: text('hyperfleet'),
    username: text('hyperfleet'),
    password: text(),
    debug: flag(false),
    ssl: { mode: oneOf(['disable', 'require', 'verify-ca', 'verify-full'], 'disable'), root_cert_file: text() },
    pool: {
      max_connections: count(50, 1),
      max_idle_connections: count(10),
      conn_max_lifetime: duration('5m'),
      conn_max_idle_time: duration('1m'),
      request_timeout: duration('30s'),
      conn_retry_attempts: count(10, 1),
      conn_retry_interval: duration('3s'),
    },
  },
  logging: {
    level: oneOf(['debug', 'info', 'warn', 'error'], 'info'),
    format: oneOf(['json', 'text'], 'json'),
    output: oneOf(['stdout', 'stderr'], 'stdout'),
    otel: { enabled: flag(true) },
    masking: {
      enabled: flag(true),
      headers: words(['Authorization', 'Cookie']),
      fields: words(['password', 'token']),
    },
  },
  tracing: { enabled: flag(true) },
  metrics: {
    host: text('localhost'),
    port: port(9090),
    tls,
    label_metrics_inclusion_duration: duration('168h'),
    reconciliation_stuck_threshold: duration('10m'),
  },
  health: {
    host: text('localhost'),
    port: port(8080),
    tls,
    shutdown_timeout: duration('20s'),
    db_ping_timeout: duration('2s'),
  },
  entities: objects(entity, ['kind', 'plural'], [...defaultEntities, managementClusterEntity]),
};
