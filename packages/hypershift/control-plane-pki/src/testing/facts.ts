import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { deepFreeze } from '@hypershift-ts/kube-apimachinery';
import { generateKeys, type KeySource } from '@hypershift-ts/kube-pki';
import { desiredPki } from '../desired.ts';
import type { PkiFacts, PkiTuning } from '../facts.ts';
import { issuePki } from '../issue.ts';
import type { PkiState } from '../material.ts';
import { planPki } from '../plan.ts';

export const now = Date.UTC(2026, 5, 1, 12);

export function someFacts(facts: Partial<PkiFacts> = {}): PkiFacts {
  return {
    namespace: 'clusters-demo',
    hcpName: 'demo',
    infraId: 'demo-x7k2p',
    api: { host: 'api.demo.example.com', port: 6443 },
    serviceNetworks: ['172.31.0.0/16'],
    konnectivityHost: 'konnectivity.demo.example.com',
    oauthHost: 'oauth.demo.example.com',
    ingressDomain: 'apps.demo.example.com',
    ignition: { host: 'ignition.demo.example.com' },
    ...facts,
  };
}

// One RSA key for all tests of a process: making them is what the pool is for.
let rsa: ReturnType<KeySource> | undefined;
export const testKeys: KeySource = (type) => (type === 'RSA-2048' ? (rsa ??= generateKeys(type)) : generateKeys(type));

export const nothing: PkiState = { secrets: new Map(), configMaps: new Map() };

export interface BuildOptions {
  readonly at?: number;
  readonly tuning?: PkiTuning;
  readonly keys?: KeySource;
}

/** The state after one pass over `before`, as a cache would hand it out. */
export async function stateAfter(facts: PkiFacts, before = nothing, options: BuildOptions = {}): Promise<PkiState> {
  const { at = now, tuning = {}, keys = testKeys } = options;
  const contents = await issuePki(planPki(facts, before, at, tuning), before, { keys, now: at, tuning });
  const desired = desiredPki(facts, contents, before);
  const secrets = new Map(before.secrets);
  for (const secret of [...desired.authorities, ...desired.leaves, ...desired.kubeconfigs]) {
    const name = secret.metadata.name ?? '';
    secrets.set(name, deepFreeze({ apiVersion: 'v1', kind: 'Secret', ...secret } as corev1.Secret));
  }
  const configMaps = new Map(before.configMaps);
  for (const map of desired.bundles) {
    configMaps.set(
      map.metadata.name ?? '',
      deepFreeze({ apiVersion: 'v1', kind: 'ConfigMap', ...map } as corev1.ConfigMap),
    );
  }
  return { secrets, configMaps };
}
