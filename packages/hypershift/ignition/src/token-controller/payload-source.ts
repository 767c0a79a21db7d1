import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { corev1, decodeYaml, isJsonObject, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { hashConfigMapData } from '../hash/hash-simple.ts';
import type { PayloadInputs, WorkerImages } from '../payload/payload-inputs.ts';
import type { ImageSpec, ProxyStatus, TlsSecurityProfile } from '../rollout/global-config.ts';
import { decodeAndDecompress } from '../rollout/raw-config.ts';
import { secretText, tokenKey } from '../token/names.ts';
import { pullSecretHash, trustBundleHash } from '../token/token-secret.ts';
import { clusterDnsAddress, ipFamilyOf } from './service-network.ts';

/** Where the inputs of a payload come from. */
export interface PayloadSource {
  /** Throws with the reason while something is missing or not up to date. */
  inputsFor(token: corev1.Secret, signal?: AbortSignal): Promise<PayloadInputs>;
}

export interface ClusterPayloadSourceOptions {
  readonly client: Client;
  /** The control plane namespace. */
  readonly namespace: string;
  /** The worker images of a release image, for a stream of the operating system. */
  readonly imagesOf: (releaseImage: string, osStream: string, signal?: AbortSignal) => Promise<WorkerImages>;
  /** ConfigMap and key of the platform's cloud config; absent on platforms without one. */
  readonly cloudConfig?: { readonly name: string; readonly key: string };
}

/** Reads the control plane namespace, and refuses what does not belong to the token's rollout. */
export class ClusterPayloadSource implements PayloadSource {
  private readonly options: ClusterPayloadSourceOptions;

  constructor(options: ClusterPayloadSourceOptions) {
    this.options = options;
  }

  async inputsFor(token: corev1.Secret, signal?: AbortSignal): Promise<PayloadInputs> {
    const want = (key: string): string => secretText(token, key) ?? '';
    const [pullSecret, trustBundle, server, bootstrap] = await Promise.all([
      this.secret('pull-secret', '.dockerconfigjson', 'pull secret', signal),
      this.trustBundle(signal),
      this.configMap('machine-config-server', 'machine-config-server configmap', signal),
      this.secret('bootstrap-kubeconfig', 'kubeconfig', 'bootstrap kubeconfig secret', signal),
    ]);
    if (pullSecretHash(Buffer.from(pullSecret)) !== want(tokenKey.pullSecretHash))
      throw new Error('pull secret does not match hash');
    if (trustBundleHash(trustBundle) !== want(tokenKey.additionalTrustBundleHash))
      throw new Error('additionalTrustBundle does not match hash');
    const configured = server['configuration-hash'] ?? '';
    if (configured !== want(tokenKey.configurationHash))
      throw new Error(
        `machine-config-server configmap is out of date, waiting for update ${configured} != ${want(tokenKey.configurationHash)}`,
      );
    const cloudConfig = await this.cloudConfig(want(tokenKey.cloudConfigHash), signal);
    const images = await this.options.imagesOf(want(tokenKey.release), want(tokenKey.osStream), signal);
    return {
      rawConfig: rawConfigOf(token),
      images,
      pullSecret,
      additionalTrustBundle: trustBundle,
      bootstrapKubeconfig: bootstrap,
      kubeletClientCA: server['signer-ca.crt'] ?? '',
      ...(cloudConfig === undefined ? {} : { cloudConfig }),
      ...clusterSettings(server),
    };
  }

  private async secret(name: string, key: string, what: string, signal?: AbortSignal): Promise<string> {
    const secret = await this.get(corev1.secrets, name, what, signal);
    const text = secretText(secret, key);
    if (text === undefined) throw new Error(`${what} missing "${key}" key`);
    return text;
  }

  private async configMap(name: string, what: string, signal?: AbortSignal): Promise<Readonly<Record<string, string>>> {
    return (await this.get(corev1.configmaps, name, what, signal)).data ?? {};
  }

  private async trustBundle(signal?: AbortSignal): Promise<string> {
    try {
      const data = await this.options.client.get(
        corev1.configmaps,
        { namespace: this.options.namespace, name: 'user-ca-bundle' },
        signal ? { signal } : {},
      );
      return data.data?.['ca-bundle.crt'] ?? '';
    } catch (error) {
      if (isNotFound(error)) return '';
      throw error;
    }
  }

  private async cloudConfig(wanted: string, signal?: AbortSignal): Promise<string | undefined> {
    const { cloudConfig: where, namespace } = this.options;
    if (!where) return undefined;
    const data = await this.configMap(where.name, 'cloud provider configmap', signal);
    const actual = hashConfigMapData(data);
    if (wanted !== '' && actual !== wanted)
      throw new Error(
        `cloud config ${namespace}/${where.name} hash mismatch (expected ${wanted}, got ${actual}), waiting for update`,
      );
    return data[where.key];
  }

  private async get<T extends corev1.Secret | corev1.ConfigMap>(
    type: Parameters<Client['get']>[0],
    name: string,
    what: string,
    signal?: AbortSignal,
  ): Promise<T> {
    try {
      const key = { namespace: this.options.namespace, name };
      return (await this.options.client.get(type, key, signal ? { signal } : {})) as unknown as T;
    } catch (error) {
      throw new Error(`failed to get ${what}: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** The config of a token Secret. */
export function rawConfigOf(token: corev1.Secret): string {
  try {
    return decodeAndDecompress(Buffer.from(token.data?.[tokenKey.config] ?? '', 'base64')).toString('utf8');
  } catch (error) {
    throw new Error(`failed to decode and decompress config: ${(error as Error).message}`, { cause: error });
  }
}

type Settings = Pick<
  PayloadInputs,
  'clusterDnsAddress' | 'ipFamily' | 'proxy' | 'image' | 'tlsSecurityProfile' | 'featureGates'
>;

/** What the control plane published for nodes. */
function clusterSettings(server: Readonly<Record<string, string>>): Settings {
  const document = (key: string): JsonObject => {
    const { value } = decodeYaml(server[key] ?? '');
    return isJsonObject(value) ? value : {};
  };
  const part = (object: JsonObject, name: string): JsonObject => {
    const value = object[name];
    return isJsonObject(value) ? value : {};
  };
  const network = part(document('cluster-network-02-config.yaml'), 'spec');
  const serviceNetwork = (
    Array.isArray(network['serviceNetwork']) ? network['serviceNetwork'] : []
  ) as readonly string[];
  const profile = part(document('cluster-apiserver-config.yaml'), 'spec')['tlsSecurityProfile'];
  return {
    clusterDnsAddress: clusterDnsAddress(serviceNetwork[0] ?? '172.31.0.0/16'),
    ipFamily: ipFamilyOf(serviceNetwork),
    proxy: part(document('cluster-proxy-01-config.yaml'), 'status') as ProxyStatus,
    image: part(document('image-config.yaml'), 'spec') as ImageSpec,
    ...(isJsonObject(profile) ? { tlsSecurityProfile: profile as TlsSecurityProfile } : {}),
  };
}
