import { posix } from 'node:path';
import type { IgnitionDocument, IgnitionFile, IgnitionUnit } from './ignition-document.ts';
import { BootError } from './machine-error.ts';
import { resourceBytes } from './resource.ts';

export type PlannedNode =
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly contents: Buffer }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

const maxNodes = 20_000;
const maxTotalBytes = 128 * 1024 * 1024;

/**
 * Everything a config puts on a machine's disk, parents first. Paths are absolute inside the machine; whatever could
 * lead out of its root directory is refused.
 */
export function bootPlan(document: IgnitionDocument): readonly PlannedNode[] {
  const nodes = new Map<string, PlannedNode>();
  const put = (node: PlannedNode) => nodes.set(node.path, node);
  const { directories = [], files = [], links = [] } = document.storage ?? {};
  for (const { path, mode = 0o755 } of directories)
    put({ kind: 'directory', path: safePath(path), mode: safeMode(mode, path) });
  for (const file of files) put(plannedFile(file));
  for (const node of plannedUnits(document.systemd?.units ?? [])) put(node);
  for (const { name, sshAuthorizedKeys = [] } of document.passwd?.users ?? []) {
    if (!/^[a-z_][a-z0-9_-]*$/.test(name)) throw new BootError(`user ${JSON.stringify(name)} is not a user's name`);
    const keys = Buffer.from(sshAuthorizedKeys.map((key) => `${key}\n`).join(''));
    const path = `/var/home/${name}/.ssh/authorized_keys.d/ignition`;
    if (keys.length > 0) put({ kind: 'file', path, mode: 0o600, contents: keys });
  }
  for (const { path, target = '', hard } of links) {
    if (hard || target === '') throw new BootError(`link ${path}: only symbolic links with a target are supported`);
    put({ kind: 'link', path: safePath(path), target: insideTarget(safePath(path), target) });
  }
  return withParents(nodes);
}

function plannedFile({ path, mode, contents, append = [] }: IgnitionFile): PlannedNode {
  const parts = [contents, ...append].map((part) => resourceBytes(part, `file ${path}`));
  return { kind: 'file', path: safePath(path), mode: safeMode(mode ?? 0o644, path), contents: Buffer.concat(parts) };
}

function plannedUnits(units: readonly IgnitionUnit[]): PlannedNode[] {
  const directory = '/etc/systemd/system';
  const file = (path: string, text: string): PlannedNode => ({
    kind: 'file',
    path: safePath(path),
    mode: 0o644,
    contents: Buffer.from(text),
  });
  const presets = units.flatMap(({ name, enabled }) =>
    enabled === undefined ? [] : [`${enabled ? 'enable' : 'disable'} ${unitName(name)}\n`],
  );
  return [
    ...units.flatMap(({ name, contents, mask, dropins = [] }): PlannedNode[] => [
      ...(mask ? [{ kind: 'link', path: `${directory}/${unitName(name)}`, target: '/dev/null' } as const] : []),
      ...(contents && !mask ? [file(`${directory}/${unitName(name)}`, contents)] : []),
      ...dropins.flatMap((dropin) =>
        dropin.contents ? [file(`${directory}/${unitName(name)}.d/${unitName(dropin.name)}`, dropin.contents)] : [],
      ),
    ]),
    ...(presets.length > 0 ? [file('/etc/systemd/system-preset/20-ignition.preset', presets.join(''))] : []),
  ];
}

function unitName(name: string): string {
  if (!/^[A-Za-z0-9:_.@\\-]+$/.test(name) || name === '.' || name === '..')
    throw new BootError(`unit ${JSON.stringify(name)} is not a unit's name`);
  return name;
}

/** The path as it is, when it stays inside the root whatever is asked. */
function safePath(path: string): string {
  const isPlain = path.startsWith('/') && !path.includes('\0') && posix.normalize(path) === path && path.length < 1024;
  if (!isPlain || path === '/' || path.endsWith('/'))
    throw new BootError(
      `path ${JSON.stringify(path)} is not an absolute, plain path; remove "..", "." and double slashes`,
    );
  return path;
}

function safeMode(mode: number, path: string): number {
  if (!Number.isInteger(mode) || mode < 0 || mode > 0o7777)
    throw new BootError(`mode ${mode} of ${path} is not a file mode`);
  // Nothing of a machine may run as somebody else on this host.
  return mode & 0o777;
}

/** A target that means the same inside the root, seen from outside. */
function insideTarget(path: string, target: string): string {
  const inside = posix.normalize(posix.isAbsolute(target) ? target : posix.join(posix.dirname(path), target));
  return posix.relative(posix.dirname(path), inside) || '.';
}

function withParents(nodes: Map<string, PlannedNode>): readonly PlannedNode[] {
  const complete = new Map(nodes);
  let bytes = 0;
  for (const node of nodes.values()) {
    if (node.kind === 'file') bytes += node.contents.length;
    for (let parent = posix.dirname(node.path); parent !== '/'; parent = posix.dirname(parent)) {
      const known = complete.get(parent);
      if (known && known.kind !== 'directory')
        throw new BootError(`path ${JSON.stringify(node.path)} lies below ${parent}, which is a ${known.kind}`);
      if (!known) complete.set(parent, { kind: 'directory', path: parent, mode: 0o755 });
    }
  }
  if (complete.size > maxNodes) throw new BootError(`the config holds more than ${maxNodes} files`);
  if (bytes > maxTotalBytes) throw new BootError(`the files of the config take more than ${maxTotalBytes} bytes`);
  return [...complete.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
