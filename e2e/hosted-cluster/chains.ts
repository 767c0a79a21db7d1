import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { parseCertificates } from '@hypershift-ts/kube-pki';

const run = promisify(execFile);

/** Whether this machine has openssl. */
export const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);

export interface Leaf {
  readonly secret: string;
  readonly key: string;
  readonly pem: string;
}

const text = (secret: corev1.Secret, key: string) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Certificates of Secrets that are no authorities, and those in their kubeconfigs, too. */
export function leavesIn(secrets: readonly corev1.Secret[]): readonly Leaf[] {
  return secrets.flatMap((secret) =>
    Object.keys(secret.data ?? {}).flatMap((key) => {
      const found = text(secret, key);
      const embedded = /client-certificate-data: (\S+)/.exec(found)?.[1];
      const pem = embedded ? Buffer.from(embedded, 'base64').toString('utf8') : found;
      const [first] = pem.match(pemBlock) ?? [];
      if (!first || parseCertificates(first)[0]?.isCa) return [];
      return [{ secret: secret.metadata.name ?? '', key, pem: first }];
    }),
  );
}

/** Every authority there is in Secrets, each once. */
export function authoritiesIn(secrets: readonly corev1.Secret[]): readonly string[] {
  const blocks = secrets.flatMap((secret) =>
    Object.keys(secret.data ?? {}).flatMap((key) => text(secret, key).match(pemBlock) ?? []),
  );
  return [...new Set(blocks)].filter((pem) => parseCertificates(pem)[0]?.isCa);
}

/** `openssl verify` of each leaf: what it does not accept, one line each. */
export async function rejectedByOpenssl(
  leaves: readonly Leaf[],
  authorities: readonly string[],
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chains-'));
  try {
    const bundle = join(folder, 'authorities.pem');
    await writeFile(bundle, authorities.join('\n'));
    const names = new Map<string, Leaf>();
    for (const [index, leaf] of leaves.entries()) {
      const file = join(folder, `${index}.pem`);
      names.set(file, leaf);
      await writeFile(file, leaf.pem);
    }
    const args = ['verify', '-x509_strict', '-CAfile', bundle, ...names.keys()];
    const { stdout, stderr } = await run('openssl', args).catch((error: { stdout: string; stderr: string }) => error);
    const accepted = new Set([...stdout.matchAll(/^(.*): OK$/gm)].map(([, file]) => file));
    return [...names]
      .filter(([file]) => !accepted.has(file))
      .map(([, { secret, key }]) => `${secret}/${key}: ${stderr}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
