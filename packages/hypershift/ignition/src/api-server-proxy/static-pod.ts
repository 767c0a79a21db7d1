import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { goYaml } from '../go-encoding/go-yaml.ts';
import type { ProxiedAddress } from './no-proxy.ts';

const name = 'kube-apiserver-proxy';
const proxyUser = 1001;
const requests = { cpu: '13m', memory: '16Mi' };

function staticPod(container: JsonObject, volumes: readonly JsonObject[], creationTimestamp: null | undefined): string {
  return goYaml({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { creationTimestamp, labels: { 'k8s-app': name }, name, namespace: 'kube-system' },
    spec: {
      containers: [{ ...container, resources: { requests }, securityContext: { runAsUser: proxyUser } }],
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      volumes: volumes.length === 0 ? undefined : volumes,
    },
    status: {},
  });
}

/** HAProxy on the node, listening at the internal address. */
export function haproxyPod(image: string, internal: ProxiedAddress, livenessPath: string): string {
  return staticPod(
    {
      name: 'haproxy',
      image: image === '' ? undefined : image,
      command: ['haproxy', '-f', '/usr/local/etc/haproxy'],
      livenessProbe: {
        failureThreshold: 3,
        httpGet: { host: internal.host, path: livenessPath, port: internal.port, scheme: 'HTTPS' },
        initialDelaySeconds: 120,
        periodSeconds: 120,
        successThreshold: 1,
      },
      ports: [{ containerPort: internal.port, hostPort: internal.port, name: 'apiserver', protocol: 'TCP' }],
      volumeMounts: [{ mountPath: '/usr/local/etc/haproxy', name: 'config' }],
    },
    [{ hostPath: { path: '/etc/kubernetes/apiserver-proxy-config' }, name: 'config' }],
    null,
  );
}

/** A small CONNECT client instead, for nodes that reach the API server through an HTTP proxy only. */
export function connectProxyPod(
  image: string,
  internal: ProxiedAddress,
  external: ProxiedAddress,
  proxy: string,
): string {
  return staticPod(
    {
      name: 'kubernetes-default-proxy',
      image: image === '' ? undefined : image,
      command: [
        'control-plane-operator',
        'kubernetes-default-proxy',
        `--listen-addr=${internal.host}:${internal.port}`,
        `--proxy-addr=${proxy.replace(/^http:\/\//, '').replace(/^https:\/\//, '')}`,
        `--apiserver-addr=${external.host}:${external.port}`,
      ],
    },
    [],
    undefined,
  );
}
