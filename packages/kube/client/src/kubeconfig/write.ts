import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import type { Kubeconfig } from './kubeconfig.ts';

/** What a simple kubeconfig says: one cluster, one user, one context. */
export interface KubeconfigParts {
  /** Names the cluster, the user and the context. */
  readonly name: string;
  readonly server: string;
  readonly certificateAuthorityPem?: string;
  readonly tlsServerName?: string;
  readonly clientCertificatePem?: string;
  readonly clientKeyPem?: string;
  readonly token?: string;
  readonly namespace?: string;
}

/** A kubeconfig with everything inline. */
export function newKubeconfig(parts: KubeconfigParts): Kubeconfig {
  const { name, server, token, namespace, tlsServerName } = parts;
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server,
          ...(parts.certificateAuthorityPem
            ? { 'certificate-authority-data': base64(parts.certificateAuthorityPem) }
            : {}),
          ...(tlsServerName ? { 'tls-server-name': tlsServerName } : {}),
        },
      },
    ],
    users: [
      {
        name,
        user: {
          ...(parts.clientCertificatePem ? { 'client-certificate-data': base64(parts.clientCertificatePem) } : {}),
          ...(parts.clientKeyPem ? { 'client-key-data': base64(parts.clientKeyPem) } : {}),
          ...(token ? { token } : {}),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name, ...(namespace ? { namespace } : {}) } }],
    'current-context': name,
  };
}

export function formatKubeconfig(config: Kubeconfig): string {
  return stringify(config, { lineWidth: 0 });
}

/** Writes the file for its owner's eyes only, whole or not at all. */
export async function writeKubeconfig(file: string, config: Kubeconfig): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, formatKubeconfig(config), { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
