import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { goYaml } from '../go-encoding/go-yaml.ts';
import type { IgnitionFile } from '../spec/ignition-config.ts';
import { fileOf } from './files.ts';
import { ConfigKindError, goText, objectAt } from './document-fields.ts';
import type { ScopePolicy } from './registries.ts';

/** What ClusterImagePolicies demand, one entry per scope; several policies of a scope must all hold. */
export function scopePolicies(documents: readonly JsonObject[]): ScopePolicy[] {
  const byScope = new Map<string, JsonObject[]>();
  for (const document of documents) {
    const spec = objectAt(document, 'spec');
    const scopes = Array.isArray(spec['scopes']) ? (spec['scopes'] as readonly unknown[]) : [];
    const requirement = sigstoreRequirement(document, objectAt(spec, 'policy'));
    for (const scope of scopes) {
      if (typeof scope !== 'string') continue;
      byScope.set(scope, [...(byScope.get(scope) ?? []), requirement]);
    }
  }
  return [...byScope.keys()].sort().map((scope) => ({ scope, requirements: byScope.get(scope) ?? [] }));
}

/** Says for each scope that its signatures are attached as sigstore images. */
export function sigstoreRegistriesFile(policies: readonly ScopePolicy[]): IgnitionFile[] {
  if (policies.length === 0) return [];
  const docker = Object.fromEntries(policies.map(({ scope }) => [scope, { 'use-sigstore-attachments': true }]));
  return [fileOf('/etc/containers/registries.d/sigstore-registries.yaml', goYaml({ docker }))];
}

function sigstoreRequirement(document: JsonObject, policy: JsonObject): JsonObject {
  const root = objectAt(policy, 'rootOfTrust');
  const signedIdentity = identityOf(objectAt(policy, 'signedIdentity'));
  switch (root['policyType']) {
    case 'PublicKey': {
      const { keyData, rekorKeyData } = objectAt(root, 'publicKey');
      return { type: 'sigstoreSigned', keyData, rekorPublicKeyData: rekorKeyData, signedIdentity };
    }
    case 'FulcioCAWithRekor': {
      const fulcio = objectAt(root, 'fulcioCAWithRekor');
      const { oidcIssuer, signedEmail } = objectAt(fulcio, 'fulcioSubject');
      return {
        type: 'sigstoreSigned',
        fulcio: { caData: fulcio['fulcioCAData'], oidcIssuer, subjectEmail: signedEmail },
        rekorPublicKeyData: fulcio['rekorKeyData'],
        signedIdentity,
      };
    }
    case 'PKI': {
      const pki = objectAt(root, 'pki');
      const { email, hostname } = objectAt(pki, 'pkiCertificateSubject');
      return {
        type: 'sigstoreSigned',
        pki: {
          caRootsData: pki['caRootsData'],
          caIntermediatesData: pki['caIntermediatesData'],
          subjectEmail: email,
          subjectHostname: hostname,
        },
        signedIdentity,
      };
    }
    default: {
      const name = goText(objectAt(document, 'metadata')['name']);
      const found = goText(root['policyType']) || 'nothing';
      throw new ConfigKindError(
        `ClusterImagePolicy ${name}: rootOfTrust.policyType must be PublicKey, FulcioCAWithRekor or PKI, found ${found}`,
      );
    }
  }
}

function identityOf(identity: JsonObject): JsonObject {
  switch (identity['matchPolicy']) {
    case 'MatchRepository':
      return { type: 'matchRepository' };
    case 'ExactRepository':
      return { type: 'exactRepository', dockerRepository: objectAt(identity, 'exactRepository')['repository'] };
    case 'RemapIdentity': {
      const { prefix, signedPrefix } = objectAt(identity, 'remapIdentity');
      return { type: 'remapIdentity', prefix, signedPrefix };
    }
    default:
      return { type: 'matchRepoDigestOrExact' };
  }
}
