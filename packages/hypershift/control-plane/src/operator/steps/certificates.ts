import { type PkiState, reconcilePki } from '@hypershift-ts/hypershift-control-plane-pki';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import { ownerOf } from '../../framework/reconcile.ts';
import { componentContext, type Pass } from '../pass.ts';
import { pkiFacts, pkiTuning, reconcilesPki } from '../pki-facts.ts';

/** setTimeout cannot wait longer, and a look once in a while costs nothing. */
const farMs = 7 * 24 * 3600 * 1000;

/** Every CA, certificate, trust bundle and kubeconfig; comes back when the next one is due. */
export const certificates: Step<Pass> = {
  name: 'certificates',
  kind: 'critical',
  async run(pass) {
    const context = componentContext(pass);
    if (!reconcilesPki(context)) return done();
    const { plan } = await reconcilePki({
      client: pass.client,
      state: stateOf(pass),
      owner: ownerOf(context),
      facts: pkiFacts(context, pass.components),
      keys: pass.upkeep.keys,
      now: pass.now,
      tuning: pkiTuning(pass.settings),
      signal: pass.signal,
    });
    return done({ requeueAfterMs: Math.min(farMs, Math.max(1000, plan.nextCheck - pass.now)) });
  },
};

function stateOf({ lookup }: Pass): PkiState {
  return {
    secrets: new Map(lookup.list(corev1.secrets).map((secret) => [secret.metadata.name ?? '', secret])),
    configMaps: new Map(lookup.list(corev1.configmaps).map((map) => [map.metadata.name ?? '', map])),
  };
}
