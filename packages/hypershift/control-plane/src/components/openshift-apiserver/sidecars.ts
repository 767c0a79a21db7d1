import { type ContainerDeclaration, exec } from '../../framework/pod.ts';

/** Takes the pod out of rotation while the hosted API server cannot be reached from it. */
export const kasReadinessCheck: ContainerDeclaration = {
  name: 'kas-readiness-check',
  image: 'cli',
  command: ['/bin/bash', '-c', 'sleep infinity'],
  cpu: '10m',
  memory: '10Mi',
  readiness: exec(['/bin/bash', '-c', 'curl -kfs https://kube-apiserver:6443/livez > /dev/null'], {
    period: 10,
    timeout: 5,
    failures: 3,
  }),
};

/** How an aggregated API server recognises the hosted API server in front of it. */
export const frontProxyFlags: readonly string[] = [
  '--requestheader-client-ca-file=/etc/kubernetes/certs/aggregator-client-ca/ca.crt',
  '--requestheader-allowed-names=kube-apiserver-proxy,system:kube-apiserver-proxy,system:openshift-aggregator',
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  '--client-ca-file=/etc/kubernetes/certs/client-ca/ca.crt',
];
