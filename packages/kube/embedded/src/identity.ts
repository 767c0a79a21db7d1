import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CertificateAuthority,
  createAuthority,
  generateKeys,
  type IssuedCertificate,
  issue,
  type LeafOptions,
  loadAuthority,
  loadIssued,
  privateKeyPem,
  rotationDecision,
} from '@hypershift-ts/kube-pki';

/** The keys and certificates one embedded cluster lives on. */
export interface ClusterIdentity {
  readonly authority: CertificateAuthority;
  readonly frontProxyAuthority: CertificateAuthority;
  readonly serving: IssuedCertificate;
  readonly admin: IssuedCertificate;
  readonly kubeletClient: IssuedCertificate;
  /** PEM private key that signs service account tokens. */
  readonly serviceAccountKey: string;
}

/** Where certificates are kept; absent means for this process only. */
type Directory = string | undefined;

export interface IdentityOptions {
  readonly directory?: string;
  readonly now: number;
  /** Names and addresses clients use to reach the API server. */
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** Loads the cluster's identity from its directory, making what is missing and renewing what runs out. */
export async function ensureIdentity(options: IdentityOptions): Promise<ClusterIdentity> {
  const { directory, now } = options;
  if (directory) await mkdir(directory, { recursive: true, mode: 0o700 });
  const authority = await ensureAuthority(directory, 'ca', 'kubernetes', now);
  const frontProxyAuthority = await ensureAuthority(directory, 'front-proxy-ca', 'front-proxy-ca', now);
  const leaf = (name: string, leafOptions: Omit<LeafOptions, 'now'>) =>
    ensureLeaf(directory, name, authority, { ...leafOptions, now });
  return {
    authority,
    frontProxyAuthority,
    serving: await leaf('apiserver', {
      subject: { commonName: 'kube-apiserver' },
      role: 'server',
      dnsNames: options.dnsNames,
      ipAddresses: options.ipAddresses,
    }),
    admin: await leaf('admin', {
      subject: { commonName: 'kubernetes-admin', organizations: ['system:masters'] },
      role: 'client',
    }),
    kubeletClient: await leaf('apiserver-kubelet-client', {
      subject: { commonName: 'kube-apiserver-kubelet-client', organizations: ['kubeadm:cluster-admins'] },
      role: 'client',
    }),
    serviceAccountKey: await ensureKey(directory, 'sa'),
  };
}

async function ensureAuthority(
  directory: Directory,
  name: string,
  commonName: string,
  now: number,
): Promise<CertificateAuthority> {
  const stored = await readPair(directory, name);
  if (stored) return loadAuthority(stored.certificate, stored.key);
  const made = await createAuthority({ subject: { commonName }, now });
  await writePair(directory, name, made);
  return made;
}

async function ensureLeaf(
  directory: Directory,
  name: string,
  authority: CertificateAuthority,
  options: LeafOptions,
): Promise<IssuedCertificate> {
  const stored = await readPair(directory, name);
  if (stored) {
    const issued = loadIssued(stored.certificate, stored.key);
    const { dnsNames, ipAddresses } = options;
    const decision = rotationDecision(issued.certificate, {
      now: options.now,
      issuer: authority.certificate,
      ...(dnsNames ? { dnsNames } : {}),
      ...(ipAddresses ? { ipAddresses } : {}),
    });
    if (!decision.rotate) return issued;
  }
  const made = await issue(authority, options);
  await writePair(directory, name, made);
  return made;
}

async function ensureKey(directory: Directory, name: string): Promise<string> {
  const file = directory && join(directory, `${name}.key`);
  const stored = file && (await readOptional(file));
  if (stored) return stored;
  const pem = privateKeyPem(await generateKeys('P-256'));
  if (file) await writeSecret(file, pem);
  return pem;
}

async function readPair(directory: Directory, name: string): Promise<{ certificate: string; key: string } | undefined> {
  if (!directory) return undefined;
  const certificate = await readOptional(join(directory, `${name}.crt`));
  const key = await readOptional(join(directory, `${name}.key`));
  return certificate && key ? { certificate, key } : undefined;
}

async function writePair(directory: Directory, name: string, pair: IssuedCertificate): Promise<void> {
  if (!directory) return;
  // The key first: a certificate without its key would be taken for a complete pair after a crash.
  await writeSecret(join(directory, `${name}.key`), pair.keyPem);
  await writeSecret(join(directory, `${name}.crt`), pair.certificatePem);
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces a file in one step, readable by its owner only. */
export async function writeSecret(file: string, content: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, content, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}
