/** Control planes and inputs as a pass of the operator sees them, for tests. */
import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { EmbeddedCatalogue, embeddedReleaseImage, embeddedReleases } from '@hypershift-ts/hypershift-release';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { GuestInputs } from '../resources/inputs.ts';

const image = embeddedReleaseImage(embeddedReleases[0]?.version ?? '');

export function aControlPlane(spec: object = {}, metadata: object = {}, status: object = {}): HostedControlPlane {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name: 'demo', namespace: 'clusters-demo', generation: 2, resourceVersion: '7', ...metadata },
    spec: {
      releaseImage: image,
      infraID: 'demo-abcde',
      clusterID: '00000000-0000-4000-8000-000000000001',
      issuerURL: 'https://kubernetes.default.svc',
      dns: { baseDomain: 'example.com' },
      platform: { type: 'None' },
      networking: {
        networkType: 'OVNKubernetes',
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
      },
      ...spec,
    },
    status: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 }, ...status },
  } as unknown as HostedControlPlane; // Tests state what matters to them only.
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

const secrets: { readonly [name: string]: Record<string, string> } = {
  'pull-secret': { '.dockerconfigjson': base64('{"auths":{}}') },
  'konnectivity-agent': { 'tls.crt': base64('c'), 'tls.key': base64('k') },
  'kubeadmin-password': { password: base64('secret') },
};
const configMaps: { readonly [name: string]: Record<string, string> } = {
  'root-ca': { 'ca.crt': 'root' },
  'kubelet-client-ca': { 'ca.crt': 'signer' },
  'konnectivity-ca-bundle': { 'ca.crt': 'tunnel' },
};

export async function someInputs(hcp: HostedControlPlane, own: Partial<GuestInputs> = {}): Promise<GuestInputs> {
  const found = <T>(from: { readonly [name: string]: Record<string, string> }, name: string): T | undefined =>
    from[name] && ({ metadata: { name, uid: 'u', resourceVersion: '1' }, data: from[name] } as T);
  return {
    hcp,
    platform: platformFor(hcp.spec.platform.type),
    release: await new EmbeddedCatalogue().lookup(image),
    konnectivity: { host: 'konnectivity.example.com', port: 443 },
    oauth: undefined,
    secret: (name) => found<corev1.Secret>(secrets, name),
    configMap: (name) => found<corev1.ConfigMap>(configMaps, name),
    service: () => undefined,
    configMaps: () => [],
    seen: () => undefined,
    seenAll: () => [],
    randomBytes: (size) => new Uint8Array(size),
    ...own,
  };
}
