import { describe, expect, it } from 'vitest';
import type { GuestObject } from '../guest/guest-object.ts';
import { aControlPlane, someInputs } from '../testing/inputs.ts';
import { resourceGroups } from './groups.ts';
import type { GuestInputs } from './inputs.ts';
import { keptKinds } from './watched.ts';

const groups = resourceGroups(() => Date.UTC(2026, 0, 1));
const objectsOf = (name: string, inputs: GuestInputs) => groups.find((group) => group.name === name)!.objects(inputs);

const everything = (inputs: GuestInputs): readonly GuestObject[] => groups.flatMap((group) => group.objects(inputs));

const find = (objects: readonly GuestObject[], kind: string, name: string) =>
  objects.find(({ type, manifest }) => type.kind === kind && manifest.metadata.name === name);

const aws = {
  type: 'AWS',
  aws: {
    region: 'eu-west-1',
    endpointAccess: 'PublicAndPrivate',
    rolesRef: { storageARN: 'arn:storage', ingressARN: 'arn:ingress', imageRegistryARN: 'arn:registry' },
    resourceTags: [
      { key: 'team', value: 'a' },
      { key: 'kubernetes.io/cluster/demo', value: 'owned' },
    ],
  },
};

const key = 'ibmcloud_api_key';
const creds = (name: string) => ({ name });
const platforms: {
  readonly [type: string]: {
    readonly spec?: object;
    readonly status?: object;
    readonly publishing?: string;
    readonly drivers?: readonly string[];
    readonly key?: string;
  };
} = {
  None: { publishing: 'HostNetwork' },
  AWS: { spec: { aws: aws.aws }, status: { aws: { region: 'eu-west-1' } }, drivers: ['ebs.csi.aws.com'] },
  KubeVirt: { spec: { kubevirt: {} }, publishing: 'NodePortService', drivers: ['csi.kubevirt.io'] },
  GCP: {
    spec: { gcp: { project: 'p', region: 'r', endpointAccess: 'Private' } },
    status: { gcp: { projectID: 'p', region: 'r' } },
    drivers: ['pd.csi.storage.gke.io'],
  },
  Azure: {
    spec: {
      azure: { location: 'l', resourceGroup: 'g', subscriptionID: 's', tenantID: 't', azureAuthenticationConfig: {} },
    },
    status: { azure: { cloudName: 'AzurePublicCloud', resourceGroupName: 'g' } },
    drivers: ['disk.csi.azure.com', 'file.csi.azure.com'],
  },
  IBMCloud: { spec: { ibmcloud: { providerType: 'UPI' } }, publishing: 'NodePortService' },
  PowerVS: {
    spec: {
      powervs: {
        region: 'r',
        zone: 'z',
        ingressOperatorCloudCreds: creds('i'),
        storageOperatorCloudCreds: creds('s'),
        imageRegistryOperatorCloudCreds: creds('r'),
      },
    },
    status: { powervs: { region: 'r', zone: 'z' } },
    drivers: ['powervs.csi.ibm.com'],
    key,
  },
  OpenStack: {
    spec: { openstack: { ingressFloatingIP: '203.0.113.5' } },
    status: { openstack: { cloudName: 'openstack' } },
    drivers: ['cinder.csi.openstack.org', 'manila.csi.openstack.org'],
  },
};

describe('resources of a hosted cluster', () => {
  it('When everything is computed, it should name each object once, marked as ours and of a watched kind', async () => {
    const objects = everything(await someInputs(aControlPlane()));
    const names = objects.map(
      ({ type, manifest: { metadata } }) => `${type.kind}.${type.group} ${metadata.namespace} ${metadata.name}`,
    );
    expect(new Set(names).size).toBe(names.length);
    const watched = new Set(keptKinds.map(({ resource, group }) => `${resource}.${group}`));
    for (const { type, manifest, keeping } of objects) {
      expect(watched).toContain(`${type.resource}.${type.group}`);
      if (keeping !== 'remove') expect(manifest.metadata.labels?.['hypershift.openshift.io/managed']).toBe('true');
    }
  });

  it('When the same inputs come twice, it should want the same', async () => {
    const inputs = await someInputs(aControlPlane());
    expect(everything(inputs)).toEqual(everything(inputs));
  });

  it('When the API server has no address yet, it should say what is awaited', async () => {
    const inputs = await someInputs(aControlPlane({}, {}, { controlPlaneEndpoint: undefined }));
    expect(() => objectsOf('global-config', inputs)).toThrow('APIServer endpoint address');
  });

  it('When the cluster runs on AWS, it should know region, tags, private name and roles', async () => {
    const inputs = await someInputs(aControlPlane({ platform: aws }));
    const infrastructure = find(objectsOf('global-config', inputs), 'Infrastructure', 'cluster');
    expect(infrastructure?.status).toMatchObject({
      apiServerInternalURI: 'https://api.demo.hypershift.local:6443',
      platformStatus: { type: 'AWS', aws: { region: 'eu-west-1', resourceTags: [{ key: 'team', value: 'a' }] } },
    });
    const [storage] = objectsOf('cloud-access', inputs);
    const { credentials = '' } = (storage?.manifest['data'] ?? {}) as Record<string, string>;
    expect(Buffer.from(credentials, 'base64').toString()).toContain('role_arn = arn:storage\n');
  });

  it('When a part of the cluster is switched off, it should leave out what belongs to it', async () => {
    const off = { capabilities: { disabled: ['Ingress', 'ImageRegistry'] } };
    const objects = everything(await someInputs(aControlPlane({ platform: aws, ...off })));
    expect(find(objects, 'IngressController', 'default')).toBeUndefined();
    expect(find(objects, 'Config', 'cluster')).toBeUndefined();
    expect(find(objects, 'Namespace', 'openshift-ingress')).toBeUndefined();
    expect(find(objects, 'Secret', 'cloud-credentials')).toBeUndefined();
    const version = find(objects, 'ClusterVersion', 'version')?.manifest['spec'];
    expect(JSON.stringify(version)).not.toContain('ImageRegistry');
  });

  it('When the release is not OpenShift, it should not register APIs that nobody answers for', async () => {
    const inputs = await someInputs(aControlPlane());
    const wanted = objectsOf('aggregated-apis', inputs);
    expect(wanted.every(({ keeping }) => keeping === 'remove')).toBe(true);
    const release = { ...inputs.release, source: 'registry' as const };
    const service = () => ({ spec: { clusterIP: '10.0.0.9' } }) as never;
    const openshift = { ...inputs, release, service, oauth: { host: 'oauth.example.com', port: 443 } };
    const real = everything(openshift);
    expect(find(real, 'OAuthClient', 'openshift-challenging-client')?.manifest['redirectURIs']).toEqual([
      'https://oauth.example.com:443/oauth/token/implicit',
    ]);
    expect(find(real, 'CatalogSource', 'redhat-operators')?.unwatched).toBe(true);
    expect(everything(inputs).some(({ unwatched }) => unwatched)).toBe(false);
    expect(find(real, 'APIService', 'v1.route.openshift.io')?.keeping).toBe('keep');
    expect(find(real, 'Endpoints', 'openshift-oauth-apiserver')).toBeDefined();
  });

  it('When users log in elsewhere, it should remove the first administrator', async () => {
    const oidc = { configuration: { authentication: { type: 'OIDC', oidcProviders: [] } } };
    const [secret] = objectsOf('kubeadmin', await someInputs(aControlPlane(oidc)));
    expect(secret?.keeping).toBe('remove');
  });

  it('When a proxy is configured, agents should use it but not for the cluster itself', async () => {
    const proxy = { httpsProxy: 'http://proxy:3128', noProxy: 'example.org' };
    const inputs = await someInputs(aControlPlane({ platform: aws, configuration: { proxy } }));
    const agent = find(objectsOf('konnectivity-agent', inputs), 'DaemonSet', 'konnectivity-agent');
    const text = JSON.stringify(agent?.manifest);
    expect(text).toContain('http://proxy:3128');
    expect(text).toContain(
      '.cluster.local,.eu-west-1.compute.internal,.local,.svc,10.132.0.0/14,127.0.0.1,169.254.169.254,172.31.0.0/16,example.org,localhost',
    );
  });

  it('When the network is IPv6, it should advertise an address of that family', async () => {
    const networking = { clusterNetwork: [{ cidr: 'fd01::/48' }], serviceNetwork: [{ cidr: 'fd02::/112' }] };
    const inputs = await someInputs(aControlPlane({ networking }));
    const [endpoints] = objectsOf('api-endpoint', inputs);
    expect(endpoints?.manifest['subsets']).toMatchObject([{ addresses: [{ ip: 'fd00::1' }] }]);
    const network = find(objectsOf('global-config', inputs), 'Network', 'cluster');
    expect(network?.manifest['spec']).toMatchObject({ clusterNetwork: [{ hostPrefix: 64 }] });
  });

  it.each(Object.entries(platforms))(
    'When the platform is %s, it should describe it and publish its routers',
    async (type, settings) => {
      const objects = everything(
        await someInputs(aControlPlane({ platform: { type, ...settings.spec } }), secretsOf(settings)),
      );
      const infrastructure = find(objects, 'Infrastructure', 'cluster')?.status as { platformStatus: object };
      expect(infrastructure.platformStatus).toMatchObject({ type, ...settings.status });
      const router = find(objects, 'IngressController', 'default')?.manifest['spec'] as {
        endpointPublishingStrategy: object;
      };
      expect(router.endpointPublishingStrategy).toMatchObject({ type: settings.publishing ?? 'LoadBalancerService' });
      expect(
        objects
          .filter(({ type: kind }) => kind.kind === 'ClusterCSIDriver')
          .map(({ manifest }) => manifest.metadata.name),
      ).toEqual(settings.drivers ?? []);
    },
  );
});

/** Every Secret the control plane might hold, with a key service's entry in it. */
function secretsOf({ key }: { readonly key?: string }): Partial<GuestInputs> {
  if (!key) return {};
  const data = { [key]: Buffer.from('x').toString('base64') };
  return { secret: () => ({ metadata: { uid: 'u', resourceVersion: '1' }, data }) as never };
}
