/** The part of HAProxy's configuration language that our control planes use. */
export interface Frontend {
  readonly name: string;
  readonly port: number;
  /** File with certificate and key: TLS ends here instead of passing through. */
  readonly certificate?: string;
  /** Host names (lower case) to backends. */
  readonly hosts: ReadonlyMap<string, string>;
  readonly defaultBackend?: string;
  /** A path that only says the router is well. */
  readonly monitorUri?: string;
}

export interface Backend {
  readonly host: string;
  readonly port: number;
  /** CA file: the connection onwards is TLS again. */
  readonly ca?: string;
}

export interface RouterConfiguration {
  readonly frontends: readonly Frontend[];
  readonly backends: ReadonlyMap<string, Backend>;
}

interface Section {
  readonly kind: string;
  readonly name: string;
  readonly lines: readonly (readonly string[])[];
}

/** Throws with the line that is not understood, so that nothing is silently left out. */
export function parseRouterConfiguration(text: string): RouterConfiguration {
  const sections = sectionsOf(text);
  const frontends = sections.filter(({ kind }) => kind === 'frontend' || kind === 'listen').map(frontendOf);
  const backends = sections.filter(({ kind }) => kind === 'backend').map((one) => [one.name, backendOf(one)] as const);
  return { frontends, backends: new Map(backends) };
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { kind: string; name: string; lines: string[][] }[] = [];
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    if (!words[0] || words[0].startsWith('#')) continue;
    if (/^\s/.test(line)) sections.at(-1)?.lines.push(words);
    else sections.push({ kind: words[0], name: words[1] ?? '', lines: [] });
  }
  return sections;
}

function frontendOf({ name, lines }: Section): Frontend {
  const bind = lines.find(([word]) => word === 'bind') ?? [];
  const hostOf = new Map<string, string>();
  const hosts = new Map<string, string>();
  for (const [word, ...rest] of lines) {
    if (word === 'acl' && rest[1] === 'req_ssl_sni') hostOf.set(rest[0] ?? '', (rest.at(-1) ?? '').toLowerCase());
    if (word === 'use_backend') {
      const host = hostOf.get(rest[2] ?? '');
      if (rest[1] !== 'if' || host === undefined)
        throw new Error(`frontend ${name}: cannot follow "${[word, ...rest].join(' ')}"`);
      hosts.set(host, rest[0] ?? '');
    }
  }
  const certificate = after(bind, 'crt');
  const defaultBackend = lines.find(([word]) => word === 'default_backend')?.[1];
  const monitorUri = lines.find(([word]) => word === 'monitor-uri')?.[1];
  return {
    name,
    port: portOf(bind[1] ?? '', name),
    hosts,
    ...(certificate ? { certificate } : {}),
    ...(defaultBackend ? { defaultBackend } : {}),
    ...(monitorUri ? { monitorUri } : {}),
  };
}

function backendOf({ name, lines }: Section): Backend {
  const server = lines.find(([word]) => word === 'server');
  const address = server?.[2] ?? '';
  const ca = after(server ?? [], 'ca-file');
  return {
    host: address.slice(0, address.lastIndexOf(':')),
    port: portOf(address, name),
    ...(ca && server?.includes('ssl') ? { ca } : {}),
  };
}

const after = (words: readonly string[], word: string): string | undefined =>
  words.includes(word) ? words[words.indexOf(word) + 1] : undefined;

function portOf(address: string, section: string): number {
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error(`${section}: no port in "${address}"`);
  return port;
}
