import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { PlatformError } from './errors.ts';
import type { PlatformType } from './platform.ts';
import { platformFor } from './registry.ts';
import { aSecret, clusterOn, contentsOf, managedIdentities, platformSettings } from './testing/clusters.ts';

type Cluster = ReturnType<typeof clusterOn>;

function secretsFor(cluster: Cluster, sources: readonly corev1.Secret[] = []): ReadonlyMap<string, corev1.Secret> {
  const secrets = new Map(sources.map((secret) => [secret.metadata.name ?? '', secret]));
  const made = platformFor(cluster.spec.platform.type).credentials({ cluster, namespace: 'clusters-demo', secrets });
  return new Map(made.map((object) => [object.metadata.name ?? '', object as corev1.Secret]));
}

function failure(work: () => unknown): PlatformError {
  try {
    work();
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
  throw new Error('expected a PlatformError');
}

describe('AWS credentials', () => {
  it('When roles are given, it should write one profile per role', () => {
    const secrets = secretsFor(clusterOn('AWS'));
    expect([...secrets.keys()].sort()).toEqual([
      'cloud-controller-creds',
      'cloud-network-config-controller-creds',
      'control-plane-operator-creds',
      'ebs-cloud-credentials',
      'node-management-creds',
    ]);
    expect(contentsOf(secrets.get('node-management-creds')!)).toEqual({
      credentials: `[default]
role_arn = arn:aws:iam::123456789012:role/capa
web_identity_token_file = /var/run/secrets/openshift/serviceaccount/token
sts_regional_endpoints = regional
region = us-east-1
`,
    });
  });

  it('When a key in KMS encrypts, it should write the role of that key too', () => {
    const kms = {
      provider: 'AWS',
      aws: { activeKey: { arn: 'arn:k' }, auth: { awsKms: 'arn:kms-role' }, region: 'r' },
    };
    const secrets = secretsFor(clusterOn('AWS', { spec: { secretEncryption: { type: 'kms', kms } } }));
    expect(contentsOf(secrets.get('kms-creds')!)['credentials']).toContain('role_arn = arn:kms-role\n');
  });

  it('When a role is empty, it should name the field', () => {
    const { aws } = platformSettings.AWS as { aws: { rolesRef: object } };
    const cluster = clusterOn('AWS', { settings: { aws: { ...aws, rolesRef: { ...aws.rolesRef, storageARN: '' } } } });
    expect(failure(() => secretsFor(cluster)).field).toBe('spec.platform.aws.rolesRef.storageARN');
  });
});

describe('GCP credentials', () => {
  it('When service accounts are given, it should write an external account per role', () => {
    const secrets = secretsFor(clusterOn('GCP'));
    expect([...secrets.keys()].sort()).toEqual([
      'cloud-controller-manager-creds',
      'cloud-network-config-controller-creds',
      'control-plane-operator-creds',
      'gcp-pd-cloud-credentials',
      'image-registry-creds',
      'node-management-creds',
    ]);
    const { 'application_default_credentials.json': text = '' } = contentsOf(secrets.get('node-management-creds')!);
    expect(JSON.parse(text)).toEqual({
      type: 'external_account',
      audience:
        '//iam.googleapis.com/projects/123456/locations/global/workloadIdentityPools/demo-pool/providers/demo-provider',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.googleapis.com/v1/token',
      service_account_impersonation_url:
        'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/capg-account@my-project.iam.gserviceaccount.com:generateAccessToken',
      credential_source: { file: '/var/run/secrets/openshift/serviceaccount/token', format: { type: 'text' } },
    });
  });

  it('When all roles share one service account, it should still write every Secret', () => {
    const { gcp } = platformSettings.GCP as {
      gcp: { workloadIdentity: { serviceAccountsEmails: { [role: string]: string } } };
    };
    const emails = gcp.workloadIdentity.serviceAccountsEmails;
    const shared = Object.fromEntries(Object.keys(emails).map((role) => [role, emails['nodePool']]));
    const workloadIdentity = { ...gcp.workloadIdentity, serviceAccountsEmails: shared };
    expect(secretsFor(clusterOn('GCP', { settings: { gcp: { ...gcp, workloadIdentity } } })).size).toBe(6);
  });

  const conditionsOf = (settings: object | undefined, error?: unknown) =>
    platformFor('GCP')
      .credentialConditions(clusterOn('GCP', settings ? { settings } : {}), error)
      .map(({ type, status, reason }) => `${type}=${status}/${reason}`);

  it('When the settings are judged, it should say so in conditions', () => {
    const { gcp } = platformSettings.GCP as { gcp: { workloadIdentity: object } };
    const incomplete = { gcp: { ...gcp, workloadIdentity: { ...gcp.workloadIdentity, poolID: '' } } };
    expect(conditionsOf({})).toEqual(['ValidGCPWorkloadIdentity=False/MissingGCPConfiguration']);
    expect(conditionsOf(incomplete)).toEqual(['ValidGCPWorkloadIdentity=False/InvalidWIFConfiguration']);
    expect(conditionsOf(undefined, new Error('no'))).toEqual([
      'ValidGCPWorkloadIdentity=True/ValidWIFConfiguration',
      'ValidGCPCredentials=False/CredentialsError',
    ]);
    expect(conditionsOf(undefined)[1]).toBe('ValidGCPCredentials=True/WIFReady');
  });
});

describe('Azure credentials', () => {
  const base = {
    azure_region: 'eastus',
    azure_resource_prefix: 'demo-demo-abcde',
    azure_resourcegroup: 'demo-rg',
    azure_subscription_id: 'sub',
    azure_tenant_id: 'tenant',
  };

  it('When workload identities are used, it should add client ID and token file', () => {
    const secrets = secretsFor(clusterOn('Azure'));
    expect([...secrets.keys()]).toEqual([
      'azure-ingress-credentials',
      'azure-image-registry-credentials',
      'cloud-network-config-controller-creds',
    ]);
    expect(contentsOf(secrets.get('azure-ingress-credentials')!)).toEqual({
      ...base,
      azure_federated_token_file: '/var/run/secrets/openshift/serviceaccount/token',
      azure_client_id: '00000000-0000-4000-8000-000000000005',
    });
  });

  it('When capabilities are switched off, it should leave out their Secrets', () => {
    const spec = { capabilities: { disabled: ['ImageRegistry', 'Ingress', 'Console'] } };
    expect([...secretsFor(clusterOn('Azure', { spec })).keys()]).toEqual(['cloud-network-config-controller-creds']);
  });

  it('When it is ARO, it should write plain facts only', () => {
    const { azure } = platformSettings.Azure as { azure: object };
    const settings = { azure: { ...azure, azureAuthenticationConfig: managedIdentities } };
    const secrets = secretsFor(clusterOn('Azure', { settings }));
    expect([...secrets.keys()]).toEqual(['cloud-network-config-controller-creds']);
    expect(contentsOf([...secrets.values()][0]!)).toEqual(base);
  });

  it('When a key in a vault encrypts, it should configure the key provider with its identity', () => {
    const kms = { provider: 'Azure', azure: { workloadIdentity: { clientID: 'x' } } };
    const cluster = clusterOn('Azure', { spec: { secretEncryption: { type: 'kms', kms } } });
    const scope = { cluster, namespace: 'clusters-demo', secrets: new Map() };
    const [secret] = platformFor('Azure').keyService(scope) as corev1.Secret[];
    expect(secret?.metadata.name).toBe('azure-kms-config');
    expect(JSON.parse(contentsOf(secret!)['cloud.conf'] ?? '')).toMatchObject({
      cloud: 'AzurePublicCloud',
      loadBalancerName: 'demo-abcde',
      useInstanceMetadata: false,
      useWorkloadIdentityExtension: true,
    });
  });
});

describe('Credentials copied from the user', () => {
  it('When KubeVirt runs elsewhere, it should copy the kubeconfig under a fixed name', () => {
    const credentials = { infraNamespace: 'vms', infraKubeConfigSecret: { name: 'infra', key: 'kubeconfig' } };
    const cluster = clusterOn('KubeVirt', { settings: { kubevirt: { credentials } } });
    const secrets = secretsFor(cluster, [aSecret('infra', { kubeconfig: 'k' })]);
    expect(contentsOf(secrets.get('kubevirt-infra-credentials')!)).toEqual({ kubeconfig: 'k' });
  });

  it('When OpenStack is used, it should copy clouds.yaml and configure its users', () => {
    const secrets = secretsFor(clusterOn('OpenStack'), [aSecret('demo-clouds', { 'clouds.yaml': 'c', cacert: 'ca' })]);
    expect([...secrets.keys()]).toEqual([
      'demo-clouds',
      'cloud-network-config-controller-creds',
      'openstack-cloud-credentials',
      'manila-cloud-credentials',
    ]);
    expect(contentsOf(secrets.get('manila-cloud-credentials')!)).toEqual({
      'clouds.yaml': 'c',
      cacert: 'ca',
      'ca-bundle.pem': 'ca',
      'cloud.conf': `[Global]
use-clouds = true
clouds-file = /etc/openstack/secret/clouds.yaml
cloud = openstack
ca-file = /etc/pki/ca-trust/extracted/pem/ca-bundle.pem

[LoadBalancer]
max-shared-lb = 1
manage-security-groups = true

[Networking]
address-sort-order = 10.0.0.0/16
`,
    });
  });

  it('When a PowerVS Secret lacks a key, it should name Secret, key and field', () => {
    const error = failure(() => secretsFor(clusterOn('PowerVS'), [aSecret('ccm-creds', { ibmcloud_api_key: 'k' })]));
    expect(error.message).toBe(
      'Secret ccm-creds named by spec.platform.powervs.kubeCloudControllerCreds lacks ibm-credentials.env',
    );
    expect(error.message).not.toContain('ibmcloud_api_key');
  });

  it('When one PowerVS Secret serves all, it should be written once with all keys', () => {
    const { powervs } = platformSettings.PowerVS as { powervs: object };
    const members = Object.keys(powervs).filter((member) => member.endsWith('Creds'));
    const shared = Object.fromEntries(members.map((member) => [member, { name: 'one' }]));
    const cluster = clusterOn('PowerVS', { settings: { powervs: { ...powervs, ...shared } } });
    const secrets = secretsFor(cluster, [aSecret('one', { ibmcloud_api_key: 'k', 'ibm-credentials.env': 'e' })]);
    expect([...secrets.values()].map(contentsOf)).toEqual([{ ibmcloud_api_key: 'k', 'ibm-credentials.env': 'e' }]);
  });

  it('When IBM Cloud keys need credentials, it should copy the API key alone', () => {
    const auth = { type: 'Unmanaged', unmanaged: { credentials: { name: 'ibm-kms' } } };
    const kms = { provider: 'IBMCloud', ibmcloud: { auth, keyList: [], region: 'r' } };
    const cluster = clusterOn('IBMCloud', { spec: { secretEncryption: { type: 'kms', kms } } });
    expect(
      platformFor('IBMCloud')
        .sourceSecrets(cluster)
        .map(({ name }) => name),
    ).toEqual(['ibm-kms']);
    const secrets = new Map([['ibm-kms', aSecret('ibm-kms', { iam_apikey: 'k', other: 'o' })]]);
    const made = platformFor('IBMCloud').keyService({
      cluster,
      namespace: 'clusters-demo',
      secrets,
    }) as corev1.Secret[];
    expect(made.map(contentsOf)).toEqual([{ iam_apikey: 'k' }]);
  });
});

describe('Agent access', () => {
  it('When hosts live in a namespace of others, it should grant and later remove access for this cluster alone', () => {
    const scope = { cluster: clusterOn('Agent'), namespace: 'clusters-demo', secrets: new Map() };
    const granted = platformFor('Agent').credentials(scope);
    expect(granted.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'Role agents/capi-provider-role-clusters-demo',
      'RoleBinding agents/cluster-api-agent-clusters-demo',
    ]);
    const removed = platformFor('Agent').credentialsOutside(scope);
    expect(removed.map(({ type, key }) => `${type.kind} ${key.namespace}/${key.name}`)).toEqual([
      'RoleBinding agents/cluster-api-agent-clusters-demo',
      'Role agents/capi-provider-role-clusters-demo',
    ]);
  });
});

describe('Missing settings', () => {
  const needing: readonly PlatformType[] = ['AWS', 'Azure', 'GCP', 'Agent', 'OpenStack', 'PowerVS'];
  it.each(needing)('When %s has a type and no settings, it should say which field to set', (type) => {
    const error = failure(() => secretsFor(clusterOn(type, { settings: {} })));
    expect(error.code).toBe('PLATFORM_SETTINGS_MISSING');
    expect(error.field).toBe(`spec.platform.${type.toLowerCase()}`);
  });
});
