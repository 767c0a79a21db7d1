import { hostedControlPlanes, openshift } from '@hypershift-ts/hypershift-api';
import { type Controller, controller } from '@hypershift-ts/kube-controller';
import { controlPlaneKey, controlPlaneOf, isOwnControlPlane } from '../control-plane.ts';
import { scopeOf } from '../guest/apply.ts';
import type { GuestScope } from '../options.ts';
import { patchControlPlaneStatus } from '../status/patch-status.ts';
import { versionConditions, versionFields } from './version-conditions.ts';

const { clusterVersions, authentications } = openshift;

/** Shows on the control plane what the hosted cluster says about its version and its authentication. */
export function hcpStatusController(scope: GuestScope): Controller {
  const { options, guest } = scope;
  const map = () => [controlPlaneKey(scope)];
  return controller({
    name: 'hcpstatus',
    for: {
      type: hostedControlPlanes,
      namespace: options.namespace,
      predicate: { created: isOwnControlPlane(scope), updated: () => false },
    },
    watches: [
      { type: clusterVersions, cache: guest, ...scopeOf(clusterVersions), map },
      { type: authentications, cache: guest, ...scopeOf(authentications), map },
    ],
    async reconcile(_key, context) {
      const hcp = controlPlaneOf(scope);
      const version = guest.get(clusterVersions, { name: 'version' }, scopeOf(clusterVersions));
      if (!hcp || hcp.metadata.deletionTimestamp || !version) return;
      const authentication = guest.get(authentications, { name: 'cluster' }, scopeOf(authentications))?.status ?? {};
      const configuration =
        Object.keys(authentication).length > 0
          ? { configuration: { ...hcp.status?.configuration, authentication } }
          : {};
      const fields = { ...versionFields(version), ...configuration };
      await patchControlPlaneStatus(hcp, { fields, conditions: versionConditions(version) }, context);
    },
  });
}
