import { posix } from 'node:path';
import { decodeDataUrl } from './data-url.ts';
import type { IgnitionConfig, IgnitionUnit, Resource } from './ignition-config.ts';
import type { Finding } from './shape.ts';
import { unitError } from './unit-text.ts';

/** What Ignition itself refuses in a document of the right shape. Empty: it would boot. */
export function ignitionErrors(config: IgnitionConfig): readonly Finding[] {
  const found = new Findings();
  const { storage = {}, systemd = {}, ignition } = config;
  checkNodes(storage, found);
  for (const [i, unit] of (systemd.units ?? []).entries()) checkUnit(unit, `systemd.units.${i}`, found);
  const { config: remote, proxy, security } = ignition;
  for (const [i, source] of (remote?.merge ?? []).entries()) {
    const path = `ignition.config.merge.${i}`;
    if (!source.source) found.add(path, 'source is required');
    checkResource(source, path, found);
  }
  if (remote?.replace) checkResource(remote.replace, 'ignition.config.replace', found);
  for (const [i, authority] of (security?.tls?.certificateAuthorities ?? []).entries()) {
    const path = `ignition.security.tls.certificateAuthorities.${i}`;
    if (!authority.source) found.add(path, 'source is required');
    checkResource(authority, path, found);
  }
  for (const name of ['httpProxy', 'httpsProxy'] as const) {
    const url = proxy?.[name];
    if (url !== undefined && !/^https?:/.test(url)) found.add(`ignition.proxy.${name}`, 'proxies must be http(s)');
  }
  return [...found.list, ...duplicates(config)];
}

class Findings {
  readonly list: Finding[] = [];

  add(path: string, message: string): void {
    this.list.push({ path, message });
  }
}

function checkNodes(storage: NonNullable<IgnitionConfig['storage']>, found: Findings): void {
  const links = storage.links ?? [];
  const usesLink = (path: string) => links.some((link) => path.startsWith(`${link.path}/`));
  for (const kind of ['directories', 'files', 'links'] as const) {
    const noun = { directories: 'directory', files: 'file', links: 'link' }[kind];
    for (const [i, node] of (storage[kind] ?? []).entries()) {
      const path = `storage.${kind}.${i}`;
      const problem = pathError(node.path);
      if (problem) found.add(`${path}.path`, problem);
      if (usesLink(node.path ?? '')) found.add(path, `${noun} path includes link in config`);
      for (const owner of ['user', 'group'] as const) {
        const { id, name } = node[owner] ?? {};
        if (id !== undefined && name) found.add(`${path}.${owner}`, 'cannot set both id and name');
      }
      const mode = 'mode' in node ? node.mode : undefined;
      if (mode !== undefined && (mode < 0 || mode > 0o7777)) found.add(`${path}.mode`, 'illegal file mode');
    }
  }
  for (const [i, file] of (storage.files ?? []).entries()) {
    const path = `storage.files.${i}`;
    if (file.overwrite && file.contents?.source === undefined)
      found.add(`${path}.overwrite`, 'overwrite must be false if source is unspecified');
    if (file.contents) checkResource(file.contents, `${path}.contents`, found);
    for (const [j, resource] of (file.append ?? []).entries()) checkResource(resource, `${path}.append.${j}`, found);
  }
  for (const [i, link] of links.entries())
    if (!link.target) found.add(`storage.links.${i}.target`, 'link target is required');
}

function pathError(path: string | undefined): string | undefined {
  if (!path) return 'path not specified';
  if (!path.startsWith('/')) return 'path not absolute';
  const clean = posix.normalize(path);
  return clean === path && (path === '/' || !path.endsWith('/')) ? undefined : 'path is not fully simplified';
}

function checkResource(resource: Resource, path: string, found: Findings): void {
  const { compression, source, verification, httpHeaders = [] } = resource;
  if (compression !== undefined && compression !== '' && compression !== 'gzip')
    found.add(`${path}.compression`, 'invalid compression method');
  if (verification?.hash !== undefined) {
    const problem =
      source === undefined ? 'source must be specified if verification is specified' : hashError(verification.hash);
    if (problem) found.add(`${path}.verification.hash`, problem);
  }
  const problem = source ? urlError(source) : undefined;
  if (problem) found.add(`${path}.source`, problem);
  if (httpHeaders.length > 0 && !/^https?:/.test(source ?? ''))
    found.add(
      `${path}.httpHeaders`,
      source ? 'cannot use HTTP headers with this source scheme' : 'unable to parse url',
    );
  for (const [i, header] of httpHeaders.entries()) {
    if (!header.name) found.add(`${path}.httpHeaders.${i}.name`, "HTTP header name can't be empty");
    if (header.value === '') found.add(`${path}.httpHeaders.${i}.value`, 'unable to parse HTTP header');
  }
}

function hashError(hash: string): string | undefined {
  const dash = hash.indexOf('-');
  if (dash < 0) return 'malformed hash specifier';
  const length = { sha512: 128, sha256: 64 }[hash.slice(0, dash)];
  if (length === undefined) return 'unrecognized hash function';
  return hash.length - dash - 1 === length ? undefined : 'incorrect size for hash sum';
}

function urlError(url: string): string | undefined {
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'data') {
    try {
      decodeDataUrl(url);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
  return ['http', 'https', 'tftp', 'gs', 's3', 'arn'].includes(scheme ?? '') ? undefined : 'invalid url scheme';
}

const unitExtension = /\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$/;

function checkUnit(unit: IgnitionUnit, path: string, found: Findings): void {
  if (!unitExtension.test(unit.name ?? '')) found.add(`${path}.name`, 'invalid systemd unit extension');
  const problem = unitError(unit.contents);
  if (problem) found.add(`${path}.contents`, problem);
  for (const [i, dropin] of (unit.dropins ?? []).entries()) {
    const dropinProblem = unitError(dropin.contents);
    if (dropinProblem) found.add(`${path}.dropins.${i}.contents`, dropinProblem);
    if (!dropin.name?.endsWith('.conf')) found.add(`${path}.dropins.${i}.name`, 'invalid systemd drop-in extension');
  }
}

/** One entry per key in every list; files, directories and links share their paths. */
function duplicates(config: IgnitionConfig): Finding[] {
  const found: Finding[] = [];
  const check = (entries: readonly (readonly [path: string, key: string])[]) => {
    const seen = new Set<string>();
    for (const [path, key] of entries) {
      if (seen.has(key)) found.push({ path, message: 'duplicate entry defined' });
      seen.add(key);
    }
  };
  const storage = config.storage ?? {};
  check(
    (['directories', 'files', 'links'] as const).flatMap((kind) =>
      (storage[kind] ?? []).map((node, i) => [`storage.${kind}.${i}`, node.path] as const),
    ),
  );
  const units = config.systemd?.units ?? [];
  check(units.map((unit, i) => [`systemd.units.${i}`, unit.name] as const));
  for (const [i, unit] of units.entries())
    check((unit.dropins ?? []).map((dropin, j) => [`systemd.units.${i}.dropins.${j}`, dropin.name] as const));
  check((config.passwd?.users ?? []).map((user, i) => [`passwd.users.${i}`, user.name] as const));
  for (const [i, user] of (config.passwd?.users ?? []).entries())
    check((user.sshAuthorizedKeys ?? []).map((key, j) => [`passwd.users.${i}.sshAuthorizedKeys.${j}`, key] as const));
  return found;
}
