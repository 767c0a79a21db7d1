import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/**
 * The kube-apiserver flags that a KubeAPIServerConfig stands for, in the order `--name=value`. Later flags of the command
 * line win. Fields only OpenShift's own fork understands have no flag and are left out.
 */
export function flagsFromConfig(text: string, source: string): string[] {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new Error(`${source} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!isJsonObject(config) || config['kind'] !== 'KubeAPIServerConfig')
    throw new Error(`${source} is not a KubeAPIServerConfig`);
  const flags: string[] = [];
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string' && value !== '') flags.push(`--${name}=${value}`);
  };
  const serving = objectOf(config['servingInfo']);
  const bind = typeof serving['bindAddress'] === 'string' ? serving['bindAddress'] : '';
  const colon = bind.lastIndexOf(':');
  if (colon >= 0) {
    add('bind-address', bind.slice(0, colon));
    add('secure-port', bind.slice(colon + 1));
  }
  add('tls-cert-file', serving['certFile']);
  add('tls-private-key-file', serving['keyFile']);
  add('client-ca-file', serving['clientCA']);
  for (const one of listOf(serving['namedCertificates'])) {
    const { certFile, keyFile, names } = objectOf(one);
    if (typeof certFile !== 'string' || typeof keyFile !== 'string') continue;
    const suffix = listOf(names).join(',');
    add('tls-sni-cert-key', `${certFile},${keyFile}${suffix ? `:${suffix}` : ''}`);
  }
  add('tls-min-version', serving['minTLSVersion']);
  add('service-cluster-ip-range', config['servicesSubnet']);
  add('service-node-port-range', config['servicesNodePortRange']);
  for (const file of listOf(config['serviceAccountPublicKeyFiles'])) add('service-account-key-file', file);
  const kubelet = objectOf(config['kubeletClientInfo']);
  add('kubelet-certificate-authority', kubelet['ca']);
  add('kubelet-client-certificate', kubelet['certFile']);
  add('kubelet-client-key', kubelet['keyFile']);
  for (const [name, values] of Object.entries(objectOf(config['apiServerArguments']))) {
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      throw new Error(`${source}: apiServerArguments has no flag ${JSON.stringify(name)}`);
    for (const value of listOf(values)) add(name, value);
  }
  return flags;
}

function objectOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
