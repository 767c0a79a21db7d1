import { type IgnitionDocument, parseIgnitionDocument } from './ignition-document.ts';
import { BootError } from './machine-error.ts';
import { resourceBytes } from './resource.ts';

/** Where the rest of a machine's configuration is, and how to ask for it. */
export interface RemoteConfig {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a cloud hands to a machine at its first boot. */
export interface UserData {
  /** Absent: the user data is the whole configuration. */
  readonly remote: RemoteConfig | undefined;
  /** PEM of the CAs the remote server is checked with; none: the system's. */
  readonly authorities: string | undefined;
  readonly document: IgnitionDocument;
}

/** Larger user data is accepted by none of the clouds. */
const maxUserDataBytes = 256 * 1024;

/** Reads user data; throws what is wrong with it and never quotes its credentials. */
export function parseUserData(text: string): UserData {
  if (text.length > maxUserDataBytes) throw new BootError(`user data is larger than ${maxUserDataBytes} bytes`);
  const document = parseIgnitionDocument(text, 'user data');
  const { config, security } = document.ignition;
  const merges = [...(config?.merge ?? []), ...(config?.replace ? [config.replace] : [])];
  if (merges.length > 1) throw new BootError('user data names more than one remote config; a machine follows one');
  const [remote] = merges;
  const authorities = (security?.tls?.certificateAuthorities ?? []).map((authority, index) =>
    resourceBytes(authority, `user data: certificate authority ${index}`).toString('utf8'),
  );
  return {
    document,
    authorities: authorities.length > 0 ? authorities.join('\n') : undefined,
    remote: remote && {
      url: httpsUrl(remote.source ?? ''),
      headers: Object.fromEntries((remote.httpHeaders ?? []).map(({ name, value = '' }) => [headerName(name), value])),
    },
  };
}

function httpsUrl(source: string): URL {
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url?.protocol !== 'https:') throw new BootError(`user data: ${JSON.stringify(source)} is not an https:// URL`);
  return url;
}

function headerName(name: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(name)) throw new BootError(`user data: ${JSON.stringify(name)} is not a header's name`);
  return name;
}
