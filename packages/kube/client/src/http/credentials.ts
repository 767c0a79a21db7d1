import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { readSmallFile } from '../kubeconfig/small-file.ts';
import type { ClusterConfig, PemSource } from './cluster-config.ts';
import type { ExecCredential } from './exec-credential.ts';
import { runExecPlugin } from './exec-credential.ts';

/** What a connection and its requests need right now. */
export interface Credentials {
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Changes whenever the TLS side changes: older connections must not be used for new requests. */
  readonly tlsVersion: number;
}

/** Files are looked at again after this long. */
const rereadMs = 60_000;
/** A plugin's credential is renewed this long before it expires. */
const expiryMarginMs = 30_000;

/** Reads credentials and keeps them fresh: files that rotate, plugins that expire. */
export class CredentialReader {
  private readonly config: ClusterConfig;
  private readonly clock: Clock;
  private readonly isStatic: boolean;
  private current: Credentials | undefined;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<Credentials> | undefined;
  private exec: ExecCredential | undefined;

  constructor(config: ClusterConfig, clock: Clock) {
    this.config = config;
    this.clock = clock;
    const sources = [
      config.certificateAuthority,
      config.clientCertificate?.certificate,
      config.clientCertificate?.key,
    ].filter((source) => source !== undefined);
    this.isStatic = !config.tokenFile && !config.exec && sources.every((source) => 'pem' in source);
  }

  /** The credentials, without waiting when they are still good. */
  get(): Credentials | Promise<Credentials> {
    if (this.current && this.isFresh()) return this.current;
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** The server refused them. Answers whether trying again could give others. */
  refused(): boolean {
    if (this.isStatic) return false;
    this.exec = undefined;
    this.readAtMs = Number.NEGATIVE_INFINITY;
    return true;
  }

  private isFresh(): boolean {
    if (this.isStatic) return true;
    const now = this.clock.now();
    if (this.exec?.expiresAtMs !== undefined && now > this.exec.expiresAtMs - expiryMarginMs) return false;
    return now - this.readAtMs < rereadMs;
  }

  private async read(): Promise<Credentials> {
    const { config, clock } = this;
    const previous = this.current;
    try {
      const next = await this.build();
      this.current =
        previous && next.ca === previous.ca && next.certificate === previous.certificate && next.key === previous.key
          ? { ...next, tlsVersion: previous.tlsVersion }
          : next;
    } catch (error) {
      // A file in the middle of being replaced must not take a working client down.
      if (!previous || config.exec) throw error;
    }
    this.readAtMs = clock.now();
    return this.current as Credentials;
  }

  private async build(): Promise<Credentials> {
    const { config } = this;
    const [ca, certificate, key] = await Promise.all([
      read(config.certificateAuthority, 'certificate-authority'),
      read(config.clientCertificate?.certificate, 'client-certificate'),
      read(config.clientCertificate?.key, 'client-key'),
    ]);
    const exec = await this.execCredential();
    // A token file wins over a token: the latter is only what the file held once.
    const token = config.tokenFile ? (await readText(config.tokenFile, 'tokenFile')).trim() : config.token;
    const tls = { certificate: certificate ?? exec?.certificate, key: key ?? exec?.key };
    return {
      ...(ca === undefined ? {} : { ca }),
      ...(tls.certificate === undefined || tls.key === undefined ? {} : { certificate: tls.certificate, key: tls.key }),
      headers: { ...authorization(token ?? exec?.token, config), ...impersonation(config) },
      tlsVersion: (this.current?.tlsVersion ?? 0) + 1,
    };
  }

  private async execCredential(): Promise<ExecCredential | undefined> {
    const { exec } = this.config;
    if (!exec) return undefined;
    const expires = this.exec?.expiresAtMs ?? Number.POSITIVE_INFINITY;
    if (!this.exec || this.clock.now() > expires - expiryMarginMs) this.exec = await runExecPlugin(exec, this.config);
    return this.exec;
  }
}

async function read(source: PemSource | undefined, field: string): Promise<string | undefined> {
  if (!source) return undefined;
  return 'pem' in source ? source.pem : readText(source.file, field);
}

async function readText(file: string, field: string): Promise<string> {
  try {
    return await readSmallFile(file);
  } catch (error) {
    throw new Error(`cannot read ${field}: ${(error as Error).message}`, { cause: error });
  }
}

function authorization(token: string | undefined, { basic }: ClusterConfig): Record<string, string> {
  if (token) return { authorization: `Bearer ${token}` };
  if (!basic) return {};
  const pair = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

function impersonation({ impersonate }: ClusterConfig): Record<string, string | string[]> {
  if (!impersonate) return {};
  const headers: Record<string, string | string[]> = { 'impersonate-user': impersonate.user };
  if (impersonate.uid) headers['impersonate-uid'] = impersonate.uid;
  if (impersonate.groups?.length) headers['impersonate-group'] = [...impersonate.groups];
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = [...values];
  }
  return headers;
}
