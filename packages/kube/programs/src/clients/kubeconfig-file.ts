import { dirname } from 'node:path';
import { type ClusterConfig, clusterConfigFrom, parseKubeconfig, readSmallFile } from '@hypershift-ts/kube-client';
import { type BuiltinContext, portHere } from '@hypershift-ts/kube-kubelet';

type Surroundings = Pick<BuiltinContext, 'path' | 'resolveService' | 'podIP'>;

interface Parsed {
  readonly text: string;
  readonly config: ClusterConfig;
}

/** What the files of a container said last: while a server is awaited they are read often and hardly ever change. */
const parsed = new WeakMap<Surroundings, Map<string, Parsed>>();

/** A kubeconfig of a container, with paths and addresses of this machine. */
export async function kubeconfigOf(context: Surroundings, file: string): Promise<ClusterConfig> {
  const text = await readSmallFile(context.path(file));
  const known = parsed.get(context) ?? new Map<string, Parsed>();
  let found = known.get(file);
  if (found?.text !== text) {
    // File names in it are the container's, relative ones beside it.
    found = { text, config: clusterConfigFrom(parseKubeconfig(text, file, dirname(file))) };
    parsed.set(context, known.set(file, found));
  }
  return onThisMachine(found.config, context);
}

/** Services become their addresses; the certificate must still carry the name that was written. */
export function onThisMachine(config: ClusterConfig, { path, resolveService, podIP }: Surroundings): ClusterConfig {
  const url = new URL(config.server);
  const host = url.hostname;
  // Pods share this machine's loopback: what a container calls localhost is its pod.
  const address = host === 'localhost' ? podIP : resolveService(host);
  if (address !== host) {
    url.hostname = address;
    url.port = String(portHere(Number(url.port || 443)));
  }
  const real = <T extends ClusterConfig['certificateAuthority']>(source: T): T =>
    source && 'file' in source ? ({ file: path(source.file) } as T) : source;
  const { clientCertificate, certificateAuthority, tokenFile } = config;
  return {
    ...config,
    server: url.href.replace(/\/$/, ''),
    ...(address === host || config.tlsServerName ? {} : { tlsServerName: host }),
    ...(certificateAuthority ? { certificateAuthority: real(certificateAuthority) } : {}),
    ...(clientCertificate
      ? { clientCertificate: { certificate: real(clientCertificate.certificate), key: real(clientCertificate.key) } }
      : {}),
    ...(tokenFile ? { tokenFile: path(tokenFile) } : {}),
  };
}
