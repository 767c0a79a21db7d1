import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import {
  ComponentImages,
  EmbeddedCatalogue,
  embeddedReleaseImage,
  operatorFamilyImages,
  type ReleaseImage,
  withComponents,
} from '@hypershift-ts/hypershift-release';
import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { ControlPlaneContext } from '../framework/context.ts';
import { fixedLookup } from '../framework/lookup.ts';
import { managementCluster } from '../framework/management.ts';

export const testVersion = '4.20.8';
const image = embeddedReleaseImage(testVersion);

/** A release as the catalogue has it; `source` decides which arguments containers get. */
export async function testRelease(
  version = testVersion,
  source: ReleaseImage['source'] = 'embedded',
): Promise<ReleaseImage> {
  const found = await new EmbeddedCatalogue().lookup(embeddedReleaseImage(version));
  const cpo = found.components.get('hypershift') ?? '';
  return { ...withComponents(found, operatorFamilyImages(cpo)), source };
}

export interface TestOptions {
  readonly release: ReleaseImage;
  readonly availability?: 'HighlyAvailable' | 'SingleReplica';
  readonly platform?: string;
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: object;
  readonly objects?: readonly KubeObject[];
}

export function testControlPlane({
  availability = 'HighlyAvailable',
  platform = 'None',
  ...rest
}: Omit<TestOptions, 'release'> = {}) {
  const publish = (service: string, type: string) => ({ service, servicePublishingStrategy: { type } });
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: {
      name: 'demo',
      namespace: 'clusters-demo',
      uid: '5a2d9c0e-0000-4000-8000-000000000001',
      generation: 1,
      annotations: rest.annotations ?? {},
    },
    spec: {
      dns: { baseDomain: 'example.com' },
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      infraID: 'demo-x7k2p',
      issuerURL: 'https://kubernetes.default.svc',
      platform: { type: platform },
      pullSecret: { name: 'pull-secret' },
      releaseImage: image,
      sshKey: { name: '' },
      controllerAvailabilityPolicy: availability,
      networking: { clusterNetwork: [{ cidr: '10.132.0.0/14' }], serviceNetwork: [{ cidr: '172.31.0.0/16' }] },
      services: [
        publish('APIServer', 'LoadBalancer'),
        publish('OAuthServer', 'Route'),
        publish('Konnectivity', 'Route'),
        publish('Ignition', 'Route'),
      ],
      ...rest.spec,
    },
    status: {
      initialized: true,
      ready: false,
      kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
      ...rest.status,
    },
    // The schema's types brand some enums; the fixture is checked against the CRD by the end-to-end test instead.
  } as unknown as HostedControlPlane;
}

export function testContext({ release, objects = [], ...rest }: TestOptions): ControlPlaneContext {
  const hcp = testControlPlane(rest);
  const capi = { apiVersion: 'v1', kind: 'Secret', metadata: { name: `${hcp.spec.infraID}-kubeconfig` }, data: {} };
  return {
    hcp,
    namespace: 'clusters-demo',
    images: new ComponentImages(release),
    userRelease: release,
    endpoints: {
      api: { host: 'api.demo.example.com', port: 6443 },
      konnectivity: { host: 'konnectivity.demo.example.com', port: 443 },
      oauth: { host: 'oauth.demo.example.com', port: 443 },
    },
    management: managementCluster([], 33),
    settings: { random: (size) => new Uint8Array(size).fill(7) },
    lookup: fixedLookup([capi, ...objects]),
  };
}
