/** The documents by which clouds trust the service accounts of a hosted cluster. */
import { createHash, createPublicKey } from 'node:crypto';
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { fails, holds, type Verdict } from '../conditions/verdict.ts';

/** A public place for documents, such as a bucket; both operations may be repeated. */
export interface OidcDocuments {
  /** Stores the documents of a cluster under their paths. */
  publish(infraID: string, documents: ReadonlyMap<string, string>): Promise<void>;
  /** Removes everything of a cluster. */
  remove(infraID: string): Promise<void>;
}

const discoveryPath = '.well-known/openid-configuration';
const keysPath = 'openid/v1/jwks';
/** Where documents of a cluster are, below its infraID. */
export const oidcPaths = [discoveryPath, keysPath] as const;

const pemBlock = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----/g;

/** One public key as the JWKS of a Kubernetes API server lists it. */
function jwkOf(pem: string): object {
  const key = createPublicKey(pem);
  const kid = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  const alg = key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
  return { use: 'sig', kid, alg, ...key.export({ format: 'jwk' }) };
}

/** Discovery document and keys, by path; `publicKeys` is one PEM or several, newest first. */
export function oidcDocumentsOf(
  { spec }: Pick<HostedCluster, 'spec'>,
  publicKeys: string,
): ReadonlyMap<string, string> {
  const keys = (publicKeys.match(pemBlock) ?? []).map(jwkOf);
  if (keys.length === 0) throw new Error('Secret sa-signing-key has no public key under service-account.pub');
  const discovery = {
    issuer: spec.issuerURL,
    jwks_uri: `${spec.issuerURL}/${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map((key) => (key as { alg: string }).alg))],
  };
  return new Map([
    [discoveryPath, JSON.stringify(discovery)],
    [keysPath, JSON.stringify({ keys })],
  ]);
}

/** Keeps documents in this process: for clouds that are simulated in it. */
export class MemoryOidcDocuments implements OidcDocuments {
  private readonly byCluster = new Map<string, ReadonlyMap<string, string>>();

  async publish(infraID: string, documents: ReadonlyMap<string, string>): Promise<void> {
    this.byCluster.set(infraID, documents);
  }

  async remove(infraID: string): Promise<void> {
    this.byCluster.delete(infraID);
  }

  /** A document by `<infraID>/<path>`, as a bucket would serve it. */
  read(path: string): string | undefined {
    const slash = path.indexOf('/');
    return this.byCluster.get(path.slice(0, slash))?.get(path.slice(slash + 1));
  }
}

/** The finalizer that remembers that documents of a cluster are published. */
export function oidcFinalizerOf({ spec }: Pick<HostedCluster, 'spec'>): string {
  return `hypershift.io/${spec.platform.type.toLowerCase()}-oidc-discovery`;
}

/** What an operator without a place for documents says. */
export class NoPlaceForDocuments extends Error {
  override readonly name = 'NoPlaceForDocuments';
  constructor({ spec }: Pick<HostedCluster, 'spec'>) {
    super(
      `the operator has no place to publish OpenID documents, which ${spec.platform.type} needs to trust the cluster; install it with a bucket (--oidc-storage-provider-s3-* or --gcp-oidc-storage-bucket-name), or set spec.serviceAccountSigningKey and publish them yourself`,
    );
  }
}

/** Whether the cloud can trust the cluster. */
export function validOidc(problem: Error | undefined): Verdict {
  return problem === undefined
    ? holds('ValidOIDCConfiguration', 'OIDC configuration is valid')
    : fails('ValidOIDCConfiguration', 'OIDCConfigurationInvalid', problem.message);
}
