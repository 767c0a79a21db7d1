import { controllerNames } from '@hypershift-ts/kube-controllers';

/** Names of before Kubernetes 1.28, which manifests still use. */
const aliases: Readonly<Record<string, string>> = {
  'clusterrole-aggregation': 'clusterrole-aggregation-controller',
  cronjob: 'cronjob-controller',
  csrapproving: 'certificatesigningrequest-approving-controller',
  csrcleaner: 'certificatesigningrequest-cleaner-controller',
  csrsigning: 'certificatesigningrequest-signing-controller',
  daemonset: 'daemonset-controller',
  deployment: 'deployment-controller',
  disruption: 'disruption-controller',
  endpoint: 'endpoints-controller',
  endpointslice: 'endpointslice-controller',
  endpointslicemirroring: 'endpointslice-mirroring-controller',
  garbagecollector: 'garbage-collector-controller',
  job: 'job-controller',
  namespace: 'namespace-controller',
  nodeipam: 'node-ipam-controller',
  nodelifecycle: 'node-lifecycle-controller',
  'persistentvolume-binder': 'persistentvolume-binder-controller',
  podgc: 'pod-garbage-collector-controller',
  'pv-protection': 'persistentvolume-protection-controller',
  'pvc-protection': 'persistentvolumeclaim-protection-controller',
  replicaset: 'replicaset-controller',
  replicationcontroller: 'replicationcontroller-controller',
  'root-ca-cert-publisher': 'root-ca-certificate-publisher-controller',
  service: 'service-lb-controller',
  serviceaccount: 'serviceaccount-controller',
  'serviceaccount-token': 'serviceaccount-token-controller',
  statefulset: 'statefulset-controller',
  'ttl-after-finished': 'ttl-after-finished-controller',
};

/** `--controllers` in the names of today; `ignored` are switched off there and do not exist here anyway. */
export function enabledControllers(list: readonly string[]): {
  readonly enabled: readonly string[];
  readonly ignored: readonly string[];
} {
  const enabled: string[] = [];
  const ignored: string[] = [];
  for (const entry of list) {
    const off = entry.startsWith('-');
    const given = off ? entry.slice(1) : entry;
    const name = Object.hasOwn(aliases, given) ? (aliases[given] as string) : given;
    if (off && !controllerNames.includes(name)) ignored.push(given);
    else enabled.push(off ? `-${name}` : name);
  }
  return { enabled: list.length === 0 ? ['*'] : enabled, ignored };
}
