import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ProxyStatus } from '../rollout/global-config.ts';
import type { IgnitionConfig } from '../spec/ignition-config.ts';
import { writeIgnition } from '../spec/write.ts';
import { managedByKarpenterLabel, secretData, tokenAnnotation, userDataSecretName } from './names.ts';

export interface UserDataInputs {
  readonly namespace: string;
  readonly nodePool: { readonly namespace: string; readonly name: string };
  readonly hash: string;
  readonly token: string;
  /** `HostedCluster.status.ignitionEndpoint`: host[:port]. */
  readonly ignitionEndpoint: string;
  /** PEM of the CA that signed the ignition server's certificate. */
  readonly caCertificate: string;
  readonly proxy: ProxyStatus;
  /** Boot images by label, for Karpenter. */
  readonly karpenterLabels?: Readonly<Record<string, string>>;
}

/** What a machine boots with: the way to its payload, and nothing else. */
export function userData(inputs: UserDataInputs): string {
  const { httpProxy, httpsProxy, noProxy } = inputs.proxy;
  const proxied = {
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    ...(noProxy ? { noProxy: noProxy.split(',') } : {}),
  };
  const config: IgnitionConfig = {
    ignition: {
      version: '3.2.0',
      config: {
        merge: [
          {
            source: `https://${inputs.ignitionEndpoint}/ignition`,
            httpHeaders: [
              { name: 'Authorization', value: `Bearer ${Buffer.from(inputs.token).toString('base64')}` },
              { name: 'NodePool', value: `${inputs.nodePool.namespace}/${inputs.nodePool.name}` },
              { name: 'TargetConfigVersionHash', value: inputs.hash },
            ],
          },
        ],
      },
      ...(Object.keys(proxied).length > 0 ? { proxy: proxied } : {}),
      security: {
        tls: {
          certificateAuthorities: [
            { source: `data:text/plain;base64,${Buffer.from(inputs.caCertificate).toString('base64')}` },
          ],
        },
      },
    },
  };
  return writeIgnition(config, 2);
}

/** The user-data Secret of a rollout. It follows the token, under the same name, so a rotation rolls nothing. */
export function desiredUserDataSecret(inputs: UserDataInputs, existing: corev1.Secret | undefined): corev1.Secret {
  const { nodePool, karpenterLabels } = inputs;
  const labels = karpenterLabels ? { ...karpenterLabels, [managedByKarpenterLabel]: 'true' } : undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...existing?.metadata,
      namespace: inputs.namespace,
      name: userDataSecretName(nodePool.name, inputs.hash),
      annotations: {
        ...existing?.metadata.annotations,
        [tokenAnnotation.nodePool]: `${nodePool.namespace}/${nodePool.name}`,
      },
      ...(labels ? { labels: { ...existing?.metadata.labels, ...labels } } : {}),
    },
    immutable: false,
    data: {
      // Base64 inside base64, as the providers expect it.
      disableTemplating: secretData(Buffer.from('true').toString('base64')),
      value: secretData(userData(inputs)),
    },
  };
}
