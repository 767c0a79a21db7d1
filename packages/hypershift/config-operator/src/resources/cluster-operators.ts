import { openshift } from '@hypershift-ts/hypershift-api';
import { kubernetesVersionOf } from '@hypershift-ts/hypershift-release';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { mergeConditions } from '@hypershift-ts/kube-controller';
import { kept } from '../guest/guest-object.ts';
import { servesOpenShiftApis } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

/** A part of the control plane that runs on the management cluster, so nobody inside reports for it. */
interface HostedOperator {
  readonly name: string;
  /** Name in the version list to what it is the version of. */
  readonly versions: { readonly [name: string]: 'release' | 'kubernetes' };
  readonly namespaces: readonly string[];
  /** Resource of its configuration in operator.openshift.io. */
  readonly configuration?: string;
  /** Whether a cluster without OpenShift's images goes without it. */
  readonly openshiftOnly?: true;
}

const kubernetes = (name: string, configuration: string): HostedOperator => ({
  name,
  versions: { 'raw-internal': 'release', [name]: 'kubernetes', operator: 'release' },
  namespaces: ['openshift-config', 'openshift-config-managed', `openshift-${name}`, `openshift-${name}-operator`],
  configuration,
});

const openshiftServer = (name: string, configuration: string): HostedOperator => ({
  name,
  versions: { operator: 'release', [name]: 'release' },
  namespaces: ['openshift-config', 'openshift-config-managed', `${name}-operator`, name],
  configuration,
  openshiftOnly: true,
});

export const hostedOperators: readonly HostedOperator[] = [
  openshiftServer('openshift-apiserver', 'openshiftapiservers'),
  openshiftServer('openshift-controller-manager', 'openshiftcontrollermanagers'),
  kubernetes('kube-apiserver', 'kubeapiservers'),
  kubernetes('kube-controller-manager', 'kubecontrollermanagers'),
  kubernetes('kube-scheduler', 'kubeschedulers'),
  {
    name: 'operator-lifecycle-manager-packageserver',
    versions: { operator: 'release' },
    namespaces: ['openshift-operator-lifecycle-manager'],
    openshiftOnly: true,
  },
];

const healthy = [
  ['Available', 'True'],
  ['Progressing', 'False'],
  ['Degraded', 'False'],
  ['Upgradeable', 'True'],
] as const;

/** How the parts of the control plane report themselves inside the hosted cluster, where they do not run. */
export function clusterOperators(now: () => number): ResourceGroup {
  return {
    name: 'cluster-operators',
    objects(inputs) {
      const { release, seen } = inputs;
      const versionOf = { release: release.version, kubernetes: kubernetesVersionOf(release) };
      const simulated = !servesOpenShiftApis(inputs);
      return hostedOperators.map(({ name, versions, namespaces, configuration, openshiftOnly }) => {
        const live = seen(openshift.clusterOperators, { name });
        const message =
          simulated && openshiftOnly ? 'simulated: the release has no image that could run' : 'All is well';
        const desired = healthy.map(([type, status]) => ({ type, status, reason: 'AsExpected', message }));
        return kept(
          openshift.clusterOperators,
          { name },
          { spec: {} },
          {
            ...(simulated && openshiftOnly ? { annotations: { 'hypershift-ts.io/runtime': 'simulated' } } : {}),
            status: {
              conditions: mergeConditions(live?.status?.conditions as never, desired, formatTime(now())),
              versions: Object.entries(versions).map(([part, what]) => ({ name: part, version: versionOf[what] })),
              relatedObjects: [
                ...(configuration
                  ? [{ group: 'operator.openshift.io', resource: configuration, name: 'cluster' }]
                  : []),
                ...namespaces.map((namespace) => ({ group: '', resource: 'namespaces', name: namespace })),
              ],
            },
          },
        );
      });
    },
  };
}
