import { createHash } from 'node:crypto';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { CertificateAuthority, KeySource, KeyType } from '@hypershift-ts/kube-pki';
import { createAuthority, day, issue, parsePrivateKey, privateKeyPem, publicKeyPem } from '@hypershift-ts/kube-pki';
import type { PkiTuning } from './facts.ts';
import type { PkiState } from './material.ts';
import { authorityKeys, decoded, encoded, signerIn } from './material.ts';
import type { PkiItem, PkiPlan } from './plan.ts';
import { leafPolicy } from './plan.ts';
import type { AuthoritySpec, LeafSpec } from './table/index.ts';
import { caHashAnnotation, signingKeySecret, tlsKeys } from './table/index.ts';

/** What one Secret of the PKI should say. */
export interface SecretContent {
  readonly type: string;
  readonly data: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

export interface IssueOptions {
  readonly keys: KeySource;
  readonly now: number;
  readonly tuning?: PkiTuning;
  /** What certificates are made with; P-256 unless a consumer cannot read it. */
  readonly keyType?: KeyType;
}

/** The contents of every Secret with a private key: new ones where the plan says so, the old ones elsewhere. */
export async function issuePki(
  plan: PkiPlan,
  state: PkiState,
  options: IssueOptions,
): Promise<ReadonlyMap<string, SecretContent>> {
  const fresh = new Set([...plan.create, ...plan.renew].map(({ name }) => name));
  const items: readonly PkiItem[] = [...plan.create, ...plan.renew, ...plan.keep];
  const contents = new Map<string, SecretContent>();
  const signers = new Map<string, Signer>();

  const all = items.map(async (item) => {
    if (item.kind === 'signing-key') {
      contents.set(item.name, await signingKey(state, fresh.has(item.name), options.keys));
    } else if (item.kind === 'authority') {
      const made = fresh.has(item.name) ? await newAuthority(item.spec, options) : undefined;
      const kept = state.secrets.get(item.name);
      const content = authorityContent(item.spec, made, kept);
      let loaded = made;
      const authority = () => (loaded ??= signerIn(kept, item.spec));
      signers.set(item.name, {
        authority,
        certificate: certificateOf(item.spec, content),
        hash: caHash(item.spec, content),
      });
      contents.set(item.name, content);
    }
  });
  await Promise.all(all);
  await Promise.all(
    items.map(async (item) => {
      if (item.kind !== 'leaf') return;
      const signer = signers.get(item.spec.signer);
      if (!signer)
        throw new Error(`leaf ${item.name} names ${item.spec.signer}, which is not a CA of this control plane`);
      contents.set(item.name, await leafContent(item.spec, signer, fresh.has(item.name) ? undefined : state, options));
    }),
  );
  return contents;
}

interface Signer {
  /** Read from its Secret on first use: most passes sign nothing. */
  readonly authority: () => CertificateAuthority;
  /** Base64 of the CA's PEM, as it stands in Secrets. */
  readonly certificate: string;
  readonly hash: string;
}

function newAuthority(spec: AuthoritySpec, options: IssueOptions): Promise<CertificateAuthority> {
  return createAuthority({
    subject: { commonName: spec.commonName, organizationalUnits: [spec.organizationalUnit] },
    now: options.now,
    validFor: 3650 * day,
    keySource: options.keys,
    ...(options.keyType ? { keyType: options.keyType } : {}),
  });
}

function authorityContent(
  spec: AuthoritySpec,
  made: CertificateAuthority | undefined,
  existing: corev1.Secret | undefined,
): SecretContent {
  const names = authorityKeys(spec);
  const certificate = made ? encoded(made.certificatePem) : (existing?.data?.[names.certificate] ?? '');
  const key = made ? encoded(made.keyPem) : (existing?.data?.[names.key] ?? '');
  return {
    type: spec.type ?? 'Opaque',
    // The same pair under both names: some consumers mount a CA as a TLS Secret.
    data: { [names.certificate]: certificate, [names.key]: key, 'tls.crt': certificate, 'tls.key': key },
  };
}

const certificateOf = (spec: AuthoritySpec, { data }: SecretContent) => data[authorityKeys(spec).certificate] ?? '';

/** A mark on leaves that tells which CA they belong to; an identifier, not a security property. */
function caHash(spec: AuthoritySpec, { data }: SecretContent): string {
  const names = authorityKeys(spec);
  const hash = createHash('md5');
  for (const name of [names.certificate, names.key]) hash.update(Buffer.from(data[name] ?? '', 'base64'));
  return hash.digest('hex');
}

async function leafContent(
  spec: LeafSpec,
  signer: Signer,
  state: PkiState | undefined,
  options: IssueOptions,
): Promise<SecretContent> {
  const names = spec.keys ?? tlsKeys;
  const kept = state?.secrets.get(spec.secret)?.data;
  const pair = kept
    ? { [names.certificate]: kept[names.certificate] ?? '', [names.key]: kept[names.key] ?? '' }
    : await newLeaf(spec, signer.authority(), options);
  return {
    type: spec.type ?? 'Opaque',
    data: { ...pair, ...(names.authority ? { [names.authority]: signer.certificate } : {}) },
    annotations: { [caHashAnnotation]: signer.hash },
  };
}

async function newLeaf(
  spec: LeafSpec,
  authority: CertificateAuthority,
  options: IssueOptions,
): Promise<{ readonly [key: string]: string }> {
  const names = spec.keys ?? tlsKeys;
  const { dnsNames = [], ipAddresses = [] } = spec;
  const leaf = await issue(authority, {
    role: spec.role,
    subject: { commonName: spec.commonName, organizations: spec.organizations },
    now: options.now,
    validFor: leafPolicy(options.tuning).validity,
    keySource: options.keys,
    ...(options.keyType ? { keyType: options.keyType } : {}),
    ...(dnsNames.length > 0 ? { dnsNames } : {}),
    ...(ipAddresses.length > 0 ? { ipAddresses } : {}),
  });
  return { [names.certificate]: encoded(leaf.certificatePem), [names.key]: encoded(leaf.keyPem) };
}

/** A private key the user brought is kept, and its public half derived; otherwise both are new. */
async function signingKey(state: PkiState, fresh: boolean, keys: KeySource): Promise<SecretContent> {
  const { secret: name, privateKey, publicKey } = signingKeySecret;
  const secret = state.secrets.get(name);
  if (!fresh) {
    const data = secret?.data ?? {};
    return { type: 'Opaque', data: { [privateKey]: data[privateKey] ?? '', [publicKey]: data[publicKey] ?? '' } };
  }
  const brought = decoded(secret, privateKey);
  const pair = brought === undefined ? await keys('RSA-2048') : parsePrivateKey(brought);
  return {
    type: 'Opaque',
    data: {
      [privateKey]: encoded(brought ?? privateKeyPem(pair)),
      [publicKey]: encoded(publicKeyPem(pair)),
    },
  };
}
