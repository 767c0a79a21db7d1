import type { openshift } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { DesiredCondition } from '@hypershift-ts/kube-controller';

/** Conditions of ClusterVersion that a control plane shows, with `ClusterVersion` before their name. */
const shown = ['Failing', 'ReleaseAccepted', 'RetrievedUpdates', 'Progressing', 'Upgradeable', 'Available'] as const;

const known = 'FromClusterVersion';

/** How the version operator stands, as the control plane shows it. */
export function versionConditions(version: openshift.ClusterVersion): readonly DesiredCondition[] {
  return shown.map((name) => {
    const type = `ClusterVersion${name}`;
    const found = findCondition(version.status?.conditions, name);
    if (found) {
      const { status, reason, message } = found;
      return { type, status: status as DesiredCondition['status'], reason: reason || known, message: message ?? '' };
    }
    // The version operator says only what speaks against an upgrade.
    if (name === 'Upgradeable') return { type, status: 'True', reason: known, message: '' };
    return { type, status: 'Unknown', reason: 'StatusUnknown', message: 'Condition not found in the CVO.' };
  });
}

/** Fields of the control plane's status that come from ClusterVersion. */
export function versionFields({ status }: openshift.ClusterVersion): { readonly [field: string]: unknown } {
  if (!status?.desired) return {};
  const { desired, history, observedGeneration, availableUpdates, conditionalUpdates } = status;
  return {
    versionStatus: {
      desired,
      ...(history ? { history } : {}),
      observedGeneration: observedGeneration ?? 0,
      availableUpdates: availableUpdates ?? null,
      ...(conditionalUpdates ? { conditionalUpdates } : {}),
    },
    version: desired.version,
    releaseImage: desired.image,
  };
}
