import { BootError } from './machine-error.ts';

/** The parts of an Ignition 3.x config that a machine acts on. */
export interface IgnitionDocument {
  readonly ignition: {
    readonly version: string;
    readonly config?: { readonly merge?: readonly IgnitionResource[]; readonly replace?: IgnitionResource };
    readonly security?: { readonly tls?: { readonly certificateAuthorities?: readonly IgnitionResource[] } };
  };
  readonly storage?: {
    readonly directories?: readonly { readonly path: string; readonly mode?: number }[];
    readonly files?: readonly IgnitionFile[];
    readonly links?: readonly { readonly path: string; readonly target?: string; readonly hard?: boolean }[];
  };
  readonly systemd?: { readonly units?: readonly IgnitionUnit[] };
  readonly passwd?: { readonly users?: readonly IgnitionUser[] };
}

export interface IgnitionResource {
  readonly source?: string;
  readonly compression?: string;
  readonly httpHeaders?: readonly { readonly name: string; readonly value?: string }[];
  readonly verification?: { readonly hash?: string };
}

export interface IgnitionFile {
  readonly path: string;
  readonly mode?: number;
  readonly contents?: IgnitionResource;
  readonly append?: readonly IgnitionResource[];
}

export interface IgnitionUnit {
  readonly name: string;
  readonly contents?: string;
  readonly enabled?: boolean;
  readonly mask?: boolean;
  readonly dropins?: readonly { readonly name: string; readonly contents?: string }[];
}

interface IgnitionUser {
  readonly name: string;
  readonly sshAuthorizedKeys?: readonly string[];
}

type Shape = 'string' | 'number' | 'boolean' | readonly [Shape] | { readonly [field: string]: Shape };

const resource: Shape = {
  source: 'string',
  compression: 'string',
  httpHeaders: [{ name: 'string', value: 'string' }],
  verification: { hash: 'string' },
};

const shape: Shape = {
  ignition: {
    version: 'string',
    config: { merge: [resource], replace: resource },
    security: { tls: { certificateAuthorities: [resource] } },
  },
  storage: {
    directories: [{ path: 'string', mode: 'number' }],
    files: [{ path: 'string', mode: 'number', contents: resource, append: [resource] }],
    links: [{ path: 'string', target: 'string', hard: 'boolean' }],
  },
  systemd: {
    units: [
      {
        name: 'string',
        contents: 'string',
        enabled: 'boolean',
        mask: 'boolean',
        dropins: [{ name: 'string', contents: 'string' }],
      },
    ],
  },
  passwd: { users: [{ name: 'string', sshAuthorizedKeys: ['string'] }] },
};

/** Reads a config of version 3.x; says where it is wrong. Fields a machine does not act on are ignored, as by Ignition. */
export function parseIgnitionDocument(text: string, what: string): IgnitionDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own words quote what is there, tokens included.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
    throw new BootError(`${what} is not JSON${position ? `: wrong at character ${position}` : ''}`);
  }
  check(value, shape, '$', what);
  const { version } = ((value as Partial<IgnitionDocument>).ignition ?? {}) as { readonly version?: string };
  if (!version || !/^3\.[0-6]\.\d+$/.test(version))
    throw new BootError(`${what}: ignition.version ${JSON.stringify(version)} is not supported; use 3.0.0 to 3.6.0`);
  return value as IgnitionDocument;
}

function check(value: unknown, wanted: Shape, path: string, what: string): void {
  if (value === undefined || (value === null && path !== '$')) return;
  const wrong = (expected: string) => new BootError(`${what}: ${path} must be ${expected}`);
  if (typeof wanted === 'string') {
    if (typeof value !== wanted) throw wrong(`a ${wanted}`);
  } else if (isList(wanted)) {
    if (!Array.isArray(value)) throw wrong('a list');
    for (const [index, item] of value.entries()) check(item, wanted[0], `${path}[${index}]`, what);
  } else {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('an object');
    for (const [field, inner] of Object.entries(wanted))
      if (Object.hasOwn(value, field))
        check((value as Record<string, unknown>)[field], inner, `${path}.${field}`, what);
  }
}

const isList = (wanted: Shape): wanted is readonly [Shape] => Array.isArray(wanted);
