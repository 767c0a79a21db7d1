import type { IgnitionConfig, IgnitionFile, IgnitionUnit } from './ignition-config.ts';
import { IgnitionError, workingVersion } from './ignition-error.ts';
import { configStruct } from './schema.ts';
import { isRecord, shape } from './shape.ts';

type Raw = Readonly<Record<string, unknown>>;

/**
 * Ignition 2.2 as version 3: files, directories and links of the root file system, units and users. What has no
 * counterpart (networkd, other file systems, disks) is refused, because dropping it would boot another machine than
 * the one described.
 */
export function convertV2(raw: Raw): IgnitionConfig {
  const refuse = (what: string): never => {
    throw new IgnitionError(`failed to convert Ignition config spec v2 to v3: ${what} cannot be converted`);
  };
  if (recordsOf(raw, 'networkd', 'units').length > 0) refuse('networkd');
  for (const kind of ['disks', 'raid', 'filesystems'])
    if (recordsOf(raw, 'storage', kind).length > 0) refuse(`storage.${kind}`);
  const onRoot = (node: Raw, kind: string): Raw => {
    if ((node['filesystem'] ?? 'root') !== 'root')
      refuse(`storage.${kind} of filesystem ${String(node['filesystem'])}`);
    const { filesystem: _, ...rest } = node;
    return rest;
  };
  const document = {
    ignition: { version: workingVersion, ...ignitionSection(raw, refuse) },
    passwd: { users: recordsOf(raw, 'passwd', 'users').map(v2User), groups: recordsOf(raw, 'passwd', 'groups') },
    storage: {
      files: lastByKey(
        recordsOf(raw, 'storage', 'files').map((file) => v2File(onRoot(file, 'files'))),
        'path',
      ),
      directories: recordsOf(raw, 'storage', 'directories').map((node) => onRoot(node, 'directories')),
      links: recordsOf(raw, 'storage', 'links').map((node) => onRoot(node, 'links')),
    },
    systemd: { units: lastByKey(recordsOf(raw, 'systemd', 'units').map(v2Unit), 'name') },
  };
  const { value, errors } = shape(document, configStruct, 5);
  if (errors.length > 0) throw new IgnitionError('parsing Ignition spec v2 failed with error', errors);
  return value as unknown as IgnitionConfig;
}

function ignitionSection(raw: Raw, refuse: (what: string) => never): Raw {
  const section = isRecord(raw['ignition']) ? raw['ignition'] : {};
  const remote = isRecord(section['config']) ? section['config'] : {};
  if (remote['append'] ?? remote['replace']) refuse('ignition.config');
  return section['timeouts'] ? { timeouts: section['timeouts'] } : {};
}

function v2File(file: Raw): Raw & Pick<IgnitionFile, 'path'> {
  const { append, contents, overwrite, ...rest } = file;
  // Version 2 appends the contents themselves when told so, and overwrites by default.
  const content = isRecord(contents) ? contents : {};
  const path = textOf(file['path']);
  if (append === true) return { ...rest, path, append: [content] };
  return { ...rest, path, contents: { source: 'data:,', ...content }, overwrite: overwrite ?? true };
}

function v2Unit(unit: Raw): Raw & Pick<IgnitionUnit, 'name'> {
  const { enable, dropins, ...rest } = unit;
  return {
    ...rest,
    name: textOf(unit['name']),
    ...(dropins === undefined ? {} : { dropins }),
    ...(enable === true && rest['enabled'] === undefined ? { enabled: true } : {}),
  };
}

const v2User = ({ create: _create, ...user }: Raw): Raw => user;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function recordsOf(raw: Raw, section: string, list: string): Raw[] {
  const found = isRecord(raw[section]) ? raw[section][list] : undefined;
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** Version 2 allowed an entry twice and used the last. */
function lastByKey<T extends Raw>(entries: readonly T[], key: string): T[] {
  return [...new Map(entries.map((entry) => [entry[key], entry])).values()];
}
