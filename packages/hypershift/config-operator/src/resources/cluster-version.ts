import { type HostedControlPlane, openshift } from '@hypershift-ts/hypershift-api';
import { kept } from '../guest/guest-object.ts';
import { hasCapability } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

/** Parts of OpenShift every hosted cluster has. */
const fixed = [
  'Build',
  'CSISnapshot',
  'CloudControllerManager',
  'CloudCredential',
  'DeploymentConfig',
  'MachineAPI',
  'OperatorLifecycleManager',
  'OperatorLifecycleManagerV1',
  'Storage',
  'marketplace',
];

/** Parts a user may switch off. */
const optional = ['Console', 'ImageRegistry', 'Ingress', 'Insights', 'NodeTuning', 'openshift-samples'] as const;

/** The parts a cluster should have, of those its version knows; before that is known, all of them. */
function enabledCapabilities(hcp: HostedControlPlane, known: readonly string[] | undefined): readonly string[] {
  const wanted = [...fixed, ...optional.filter((name) => hasCapability(hcp, name))].sort();
  return known && known.length > 0 ? wanted.filter((name) => known.includes(name)) : wanted;
}

/** What the version operator is asked for. The release itself comes with its own image, never from this object. */
export const clusterVersion: ResourceGroup = {
  name: 'cluster-version',
  objects({ hcp, seen }) {
    const { clusterID, channel, updateService } = hcp.spec;
    const live = seen(openshift.clusterVersions, { name: 'version' });
    const status = live?.status as { readonly capabilities?: { readonly knownCapabilities?: readonly string[] } };
    return [
      kept(
        openshift.clusterVersions,
        { name: 'version' },
        {
          spec: {
            clusterID: clusterID ?? '',
            capabilities: {
              baselineCapabilitySet: 'None',
              additionalEnabledCapabilities: enabledCapabilities(hcp, status?.capabilities?.knownCapabilities),
            },
            upstream: updateService ?? null,
            channel: channel ?? null,
            desiredUpdate: null,
          },
        },
      ),
    ];
  },
};
