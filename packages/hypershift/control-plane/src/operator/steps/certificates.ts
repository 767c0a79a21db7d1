import {
  authoritiesOf,
  bundlesOf,
  kubeconfigsOf,
  leavesOf,
  type PkiFacts,
  type PkiState,
  reconcilePki,
  signingKeySecret,
} from '@hypershift-ts/hypershift-control-plane-pki';
import { corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import type { Lookup } from '../../framework/context.ts';
import { ownerOf } from '../../framework/reconcile.ts';
import { componentContext, type Pass } from '../pass.ts';
import { pkiFacts, pkiTuning, reconcilesPki } from '../pki-facts.ts';
import { unlessSettled } from './settled-step.ts';

/** setTimeout cannot wait longer, and a look once in a while costs nothing. */
const farMs = 7 * 24 * 3600 * 1000;

/** Every CA, certificate, trust bundle and kubeconfig; comes back when the next one is due. */
export const certificates: Step<Pass> = {
  name: 'certificates',
  kind: 'critical',
  async run(pass) {
    if (!reconcilesPki(pass)) return done();
    const nextCheck = await unlessSettled(pass, 'certificates', async (seen) => {
      const result = await makeRight(seen);
      return { result, until: result };
    });
    return done({ requeueAfterMs: Math.min(farMs, Math.max(1000, nextCheck - pass.now)) });
  },
};

/** Answers when time alone will give it more to do. */
async function makeRight(pass: Pass): Promise<number> {
  const context = componentContext(pass);
  const facts = pkiFacts(context, pass.components);
  const { plan } = await reconcilePki({
    client: pass.client,
    state: stateOf(facts, pass.lookup),
    owner: ownerOf(context),
    facts,
    keys: pass.upkeep.keys,
    now: pass.now,
    tuning: pkiTuning(pass.settings),
    signal: pass.signal,
  });
  return plan.nextCheck;
}

/** What exists of everything that certificates are in or made from. */
function stateOf(facts: PkiFacts, lookup: Lookup): PkiState {
  const bundles = bundlesOf(facts);
  const sources = bundles.flatMap((bundle) => bundle.sources);
  const secrets = [
    ...[...authoritiesOf(facts), ...leavesOf(facts), ...kubeconfigsOf(facts)].map(({ secret }) => secret),
    ...sources.flatMap((source) => ('secret' in source ? [source.secret] : [])),
    ...(facts.namedCertificates ?? []),
    signingKeySecret.secret,
  ];
  const configMaps = [
    ...bundles.map(({ configMap }) => configMap),
    ...sources.flatMap((source) => ('configMap' in source ? [source.configMap] : [])),
  ];
  return {
    secrets: found(lookup, corev1.secrets, secrets),
    configMaps: found(lookup, corev1.configmaps, configMaps),
  };
}

function found<T extends KubeObject>(
  lookup: Lookup,
  type: ResourceType<T>,
  names: readonly string[],
): ReadonlyMap<string, T> {
  const objects = [...new Set(names)].map((name) => [name, lookup.get(type, name)] as const);
  return new Map(objects.filter((entry): entry is [string, T] => entry[1] !== undefined));
}
