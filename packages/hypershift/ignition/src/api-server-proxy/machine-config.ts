import { goYaml } from '../go-encoding/go-yaml.ts';
import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { dataUrl } from '../spec/data-url.ts';
import type { ApiServerEndpoints } from './endpoints.ts';
import { bypassesProxy } from './no-proxy.ts';
import { connectProxyPod, haproxyPod } from './static-pod.ts';

export interface ApiServerProxyInputs extends ApiServerEndpoints {
  readonly haproxyImage: string;
  /** Runs the CONNECT client when nodes are behind an HTTP proxy. */
  readonly controlPlaneOperatorImage: string;
  readonly clusterId: string;
  readonly platform: string;
  /** The cluster's HTTPS proxy; empty or absent when nodes connect directly. */
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  readonly serviceNetwork?: string;
  readonly clusterNetwork?: string;
}

/**
 * The MachineConfig `20-apiserver-haproxy` as text: gives a node a local address at which the hosted API server
 * answers. Its bytes are part of the rollout hash, so they never change; new text is a new rollout format.
 */
export function apiServerProxyDocument(inputs: ApiServerProxyInputs): string {
  return goYaml({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: {
      creationTimestamp: null,
      labels: { 'machineconfiguration.openshift.io/role': 'worker' },
      name: '20-apiserver-haproxy',
    },
    spec: {
      baseOSExtensionsContainerImage: '',
      config: apiServerProxyIgnition(inputs),
      extensions: null,
      fips: false,
      kernelArguments: null,
      kernelType: '',
      osImageURL: '',
    },
  });
}

/** The Ignition config inside that MachineConfig. */
export function apiServerProxyIgnition(inputs: ApiServerProxyInputs): JsonObject {
  const { internal, external, platform } = inputs;
  const livenessPath = platform === 'IBMCloud' ? '/livez?exclude=etcd&exclude=log' : '/version';
  const proxy = inputs.httpsProxy ? withPort(inputs.httpsProxy) : '';
  const files = [
    file('/usr/local/bin/setup-apiserver-ip.sh', 0o755, setupScript(internal.host)),
    file('/usr/local/bin/teardown-apiserver-ip.sh', 0o755, teardownScript(internal.host)),
  ];
  const podPath = '/etc/kubernetes/manifests/kube-apiserver-proxy.yaml';
  if (proxy === '' || connectsDirectly(inputs)) {
    const config = haproxyConfig(inputs, livenessPath);
    files.push(file('/etc/kubernetes/apiserver-proxy-config/haproxy.cfg', 0o644, config));
    files.push(file(podPath, 0o644, haproxyPod(inputs.haproxyImage, internal, livenessPath)));
  } else {
    const pod = connectProxyPod(inputs.controlPlaneOperatorImage, internal, external, proxy);
    files.push(file(podPath, 0o644, pod));
  }
  return {
    ignition: { version: '3.2.0' },
    storage: { files },
    systemd: { units: [{ contents: addressUnit, enabled: true, name: 'apiserver-ip.service' }] },
  };
}

const file = (path: string, mode: number, contents: string): JsonObject => ({
  contents: { source: dataUrl(contents) },
  mode,
  overwrite: true,
  path,
});

/** The cluster's NO_PROXY covers the API server, or says so in one of the ways that older clusters rely on. */
function connectsDirectly({ noProxy = '', internal, external, serviceNetwork, clusterNetwork }: ApiServerProxyInputs) {
  if (noProxy === '') return false;
  if ([external, internal].some((address) => address.host !== '' && bypassesProxy(noProxy, address))) return true;
  const networks = [serviceNetwork, clusterNetwork].map((network) => network?.trim()).filter(Boolean);
  return noProxy
    .split(',')
    .map((entry) => entry.trim())
    .some((entry) => entry.includes('kubernetes') || networks.includes(entry));
}

function withPort(proxy: string): string {
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/([^/?#]*)(.*)$/.exec(proxy);
  if (!match) throw new Error('failed to parse .Spec.Configuration.Proxy.HTTPSProxy: url scheme must be specified');
  const [, scheme = '', authority = '', rest = ''] = match;
  if (/:\d+$/.test(authority)) return proxy;
  return `${scheme}://${authority}:${scheme === 'https' ? 443 : 80}${rest}`;
}

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

const setupScript = (address: string): string =>
  lines(
    '#!/usr/bin/env bash',
    'set -x',
    `ip addr add ${address}/32 brd ${address} scope host dev lo`,
    `ip route add ${address}/32 dev lo scope link src ${address}`,
  );

const teardownScript = (address: string): string =>
  lines(
    '#!/usr/bin/env bash',
    'set -x',
    `ip addr delete ${address}/32 dev lo`,
    `ip route del ${address}/32 dev lo scope link src ${address}`,
  );

const addressUnit = lines(
  '[Unit]',
  'Description=Sets up local IP to proxy API server requests',
  'Wants=network-online.target',
  'After=network-online.target',
  '',
  '[Service]',
  'Type=oneshot',
  'ExecStart=/usr/local/bin/setup-apiserver-ip.sh',
  'ExecStop=/usr/local/bin/teardown-apiserver-ip.sh',
  'RemainAfterExit=yes',
  '',
  '[Install]',
  'WantedBy=multi-user.target',
);

function haproxyConfig(inputs: ApiServerProxyInputs, livenessPath: string): string {
  const { internal, external, useProxyProtocol, clusterId } = inputs;
  const header = useProxyProtocol ? ` send-proxy-v2 set-proxy-v2-tlv-fmt(0x20) %[str("${html(clusterId)}")]` : '';
  return lines(
    'global',
    '  maxconn 7000',
    '  log stdout local0',
    '  log stdout local1 notice',
    '',
    'defaults',
    '  mode tcp',
    '  timeout client 10m',
    '  timeout server 10m',
    '  timeout connect 10s',
    '  timeout client-fin 5s',
    '  timeout server-fin 5s',
    '  timeout queue 5s',
    '  retries 3',
    '',
    'frontend local_apiserver',
    `  bind ${html(internal.host)}:${internal.port}`,
    '  log global',
    '  mode tcp',
    '  option tcplog',
    '  default_backend remote_apiserver',
    '',
    'backend remote_apiserver',
    '  mode tcp',
    '  log global',
    `  option httpchk GET ${html(livenessPath)}`,
    '  option log-health-checks',
    '  default-server inter 10s fall 3 rise 3',
    `  server controlplane ${html(external.host)}:${external.port}${header}`,
  );
}

/** Clusters in the field carry this text as an HTML template wrote it (`&amp;`), and their hash covers it. */
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');
