import type { IgnitionConfig } from './ignition-config.ts';
import { IgnitionError, workingVersion } from './ignition-error.ts';
import { configStruct } from './schema.ts';
import type { Finding } from './shape.ts';
import { isRecord, shape } from './shape.ts';
import { convertV2 } from './v2.ts';
import { ignitionErrors } from './validate.ts';

const supported = '2.2,3.0,3.1,3.2,3.3,3.4,3.5';

export interface ParsedIgnition {
  /** In the working version. */
  readonly config: IgnitionConfig;
  /** Keys that Ignition ignores; usually a field at the wrong depth. */
  readonly warnings: readonly Finding[];
}

/** Reads a decoded Ignition config of any supported version and checks it. */
export function parseIgnition(raw: unknown): ParsedIgnition {
  if (!isRecord(raw)) throw new IgnitionError('parsing Ignition config failed: not a config (empty)');
  const version = isRecord(raw['ignition']) ? raw['ignition']['version'] : undefined;
  const [major, minor] = parseVersion(version);
  if (major === 2) return checked(convertV2(raw), []);
  const { value, unknown, errors } = shape(raw, configStruct, minor);
  if (errors.length > 0) throw new IgnitionError('parsing Ignition config spec v3 failed with error', errors);
  return checked(value as unknown as IgnitionConfig, unknown);
}

/** Reads an Ignition config from JSON text. */
export function parseIgnitionText(text: string): ParsedIgnition {
  try {
    return parseIgnition(JSON.parse(text) as unknown);
  } catch (error) {
    if (error instanceof IgnitionError) throw error;
    throw new IgnitionError(`parsing Ignition config failed: config is not valid: ${(error as Error).message}`);
  }
}

function parseVersion(version: unknown): [major: number, minor: number] {
  const match =
    typeof version === 'string' ? /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})(-[0-9A-Za-z.-]+)?$/.exec(version) : null;
  if (!match)
    throw new IgnitionError(`parsing Ignition config failed: invalid version. Supported spec versions: ${supported}`);
  const text = `${match[1]}.${match[2]}`;
  if (!supported.split(',').includes(text) || match[3] !== '0' || match[4])
    throw new IgnitionError(`parsing Ignition config failed: unknown version. Supported spec versions: ${supported}`);
  return [Number(match[1]), Number(match[2])];
}

function checked(value: IgnitionConfig, warnings: readonly Finding[]): ParsedIgnition {
  const config = { ...value, ignition: { ...value.ignition, version: workingVersion } };
  const errors = ignitionErrors(config);
  if (errors.length > 0) throw new IgnitionError('invalid ignition V3 config found', errors);
  for (const file of config.storage?.files ?? []) {
    // Setuid, setgid and sticky bits do not survive on the node, so they are refused rather than lost.
    if (file.mode !== undefined && file.mode > 0o777)
      throw new IgnitionError(`invalid mode 0${file.mode.toString(8)} for ${file.path}, cannot exceed 0777`);
  }
  return { config, warnings };
}
