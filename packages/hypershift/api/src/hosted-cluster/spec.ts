/** What a user asks of a hosted cluster. */
import { localObjectReference } from '../common/references.ts';
import { toleration } from '../common/scheduling.ts';
import { clusterConfiguration } from '../configuration/cluster-configuration.ts';
import { hostedClusterPlatform } from '../platforms/platform.ts';
import { boolean, enumOf, list, object, raw, string, stringMap } from '../schema/index.ts';
import { autoNode, clusterAutoscaling } from './autoscaling.ts';
import { capabilities } from './capabilities.ts';
import { dns } from './dns.ts';
import { etcd } from './etcd.ts';
import { monitoring } from './monitoring.ts';
import { networking } from './networking.ts';
import { operatorConfiguration } from './operator-configuration.ts';
import { releaseImage } from './release.ts';
import { secretEncryption } from './secret-encryption.ts';
import { servicePublishing } from './services.ts';

export const imageContentSource = object({
  source: string({ maxLength: 255 }).describe('Repository or registry that image references name.'),
  mirrors: list(string({ maxLength: 255 }), { type: 'set', maxItems: 255 })
    .optional()
    .describe('Repositories with the same images, tried in no promised order before the source.'),
});

export const hostedClusterSpec = object({
  etcd: etcd.default({
    managed: { storage: { persistentVolume: { size: '8Gi' }, type: 'PersistentVolume' } },
    managementType: 'Managed',
  }),
  networking: networking.default({
    clusterNetwork: [{ cidr: '10.132.0.0/14' }],
    networkType: 'OVNKubernetes',
    serviceNetwork: [{ cidr: '172.31.0.0/16' }],
  }),
  platform: hostedClusterPlatform,
  pullSecret: localObjectReference.describe(
    'Secret whose `.dockerconfigjson` gives access to the release images, for control plane and nodes.',
    'Naming another Secret replaces the nodes of all pools.',
  ),
  release: releaseImage.describe(
    'Release of the cluster; a new image starts an update.',
    'Node pools have their own release and are updated on their own.',
  ),
  services: list(servicePublishing, { maxItems: 6 }).describe(
    'How API server, OAuth server, Konnectivity and Ignition are published;',
    'fixed after creation except on IBM Cloud, and even the order counts.',
  ),
  additionalTrustBundle: localObjectReference
    .optional()
    .describe(
      'ConfigMap whose `ca-bundle.crt` holds further certificate authorities to trust,',
      'in the control plane and on nodes. A change replaces the nodes of all pools.',
    ),
  auditWebhook: localObjectReference
    .optional()
    .describe('Secret whose `webhook-kubeconfig` says where the API server sends audit events.'),
  autoNode: autoNode.optional(),
  autoscaling: clusterAutoscaling.optional(),
  capabilities: capabilities.optional().default({}),
  channel: string({ minLength: 1, maxLength: 100 })
    .optional()
    .describe('Update channel to ask for new releases; absent asks for none.'),
  clusterID: string({ minLength: 36, maxLength: 36 })
    .optional()
    .describe(
      'UUID that identifies the cluster in metrics and towards the vendor; absent gets a random one.',
      'Fixed once set.',
    )
    .rule(
      "self.matches('[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}')",
      'clusterID must be an RFC4122 UUID value (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx in hexadecimal digits)',
    )
    .rule('oldSelf == "" || self == oldSelf', 'clusterID is immutable'),
  configuration: clusterConfiguration.optional(),
  controlPlaneRelease: releaseImage
    .optional()
    .describe(
      'Release for the components on the management cluster only, for urgent fixes;',
      'absent means the release of the cluster.',
      'It is rolled out even when the cluster says it is not upgradeable.',
    ),
  controllerAvailabilityPolicy: enumOf(['HighlyAvailable', 'SingleReplica'])
    .optional()
    .default('HighlyAvailable')
    .describe('Whether control plane components run in one copy or spread over three zones; decided at creation.')
    .immutable('ControllerAvailabilityPolicy is immutable'),
  dns: dns.optional(),
  fips: boolean()
    .optional()
    .describe('Makes all nodes run in FIPS mode; decided at creation.')
    .immutable('fips is immutable'),
  imageContentSources: list(imageContentSource, { maxItems: 255 })
    .optional()
    .describe('Mirrors for images; a change replaces the nodes of all pools.'),
  infraID: string({ minLength: 1, maxLength: 253 })
    .optional()
    .describe(
      'Name that marks all cloud resources of the cluster;',
      'absent gets one made from the name and five random characters. Fixed once set.',
    )
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      "infraID must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
    )
    .rule('oldSelf == "" || self == oldSelf', 'infraID is immutable'),
  infrastructureAvailabilityPolicy: enumOf(['HighlyAvailable', 'SingleReplica'])
    .optional()
    .default('SingleReplica')
    .describe('Whether components on the nodes, such as routers and the registry, run in one copy or several.'),
  issuerURL: string({ maxLength: 255 })
    .optional()
    .default('https://kubernetes.default.svc')
    .describe(
      'Issuer in the tokens of service accounts; cloud identity providers must know exactly this URL.',
      'Decided at creation.',
    )
    .immutable('issuerURL is immutable')
    .rule('isURL(self)', 'issuerURL must be a valid absolute URL'),
  kubeAPIServerDNSName: string({ maxLength: 253 })
    .optional()
    .describe(
      'Further DNS name of the API server; a kubeconfig that uses it appears in the status.',
      'Make the DNS record and add a named certificate yourself; works from release 4.19 on.',
    )
    .rule(
      raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
      'kubeAPIServerDNSName must be a valid URL name (e.g., api.example.com)',
    ),
  labels: stringMap({ maxProperties: 20 })
    .optional()
    .describe('Labels put on the pods of the control plane; a change restarts all of them.'),
  monitoring: monitoring.optional(),
  nodeSelector: stringMap()
    .optional()
    .describe('Labels a management cluster node must have to run this control plane.')
    .rule('size(self) <= 20', 'nodeSelector map can have at most 20 entries'),
  olmCatalogPlacement: enumOf(['management', 'guest'])
    .optional()
    .default('management')
    .describe(
      'Whether the operator catalogs run beside the control plane or on the nodes of the hosted cluster;',
      'decided at creation.',
    )
    .immutable('OLMCatalogPlacement is immutable'),
  operatorConfiguration: operatorConfiguration.optional(),
  pausedUntil: string({ minLength: 4, maxLength: 35 })
    .optional()
    .describe(
      'Stops reconciliation until this RFC3339 time, or with `true` until the field is removed;',
      'changes are ignored meanwhile, deletion is not.',
    )
    .rule(
      raw`self.matches('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}.*$') || self in ['true', 'false', 'True', 'False']`,
      "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
    ),
  secretEncryption: secretEncryption.optional(),
  serviceAccountSigningKey: localObjectReference
    .optional()
    .describe(
      'Secret whose `key` holds the PEM private key that signs service account tokens,',
      'and `old-key.pub` a former public key during rotation; absent gets a generated key.',
    ),
  sshKey: localObjectReference
    .optional()
    .describe('Secret whose `id_rsa.pub` may log in to the nodes; absent allows nobody.'),
  tolerations: list(toleration, { maxItems: 25 })
    .optional()
    .describe('Taints of management cluster nodes this control plane puts up with.'),
  updateService: string()
    .optional()
    .describe('URL of the update service to ask; absent means the public one.')
    .rule('isURL(self)', 'updateService must be a valid absolute URL'),
})
  .describe('What a hosted cluster should be like.')
  .rule(
    "self.platform.type == 'IBMCloud' ? size(self.services) >= 3 : size(self.services) >= 4",
    'spec.services in body should have at least 4 items or 3 for IBMCloud',
  )
  .rule(
    'self.platform.type != "IBMCloud" ? self.services == oldSelf.services : true',
    'Services is immutable. Changes might result in unpredictable and disruptive behavior.',
  )
  .rule(
    'self.platform.type != "Azure" || self.platform.?azure.azureAuthenticationConfig.azureAuthenticationConfigType.orValue("") == "WorkloadIdentities" || self.services.exists(s, s.service == "OAuthServer" && s.servicePublishingStrategy.type == "Route")',
    'Azure managed platform (ARO HCP) requires OAuthServer to use Route',
  )
  .rule(
    'self.platform.type != "Azure" || self.platform.?azure.azureAuthenticationConfig.azureAuthenticationConfigType.orValue("") != "WorkloadIdentities" || self.services.exists(s, s.service == "OAuthServer" && (s.servicePublishingStrategy.type == "Route" || s.servicePublishingStrategy.type == "LoadBalancer"))',
    'Self-managed Azure requires OAuthServer to use Route or LoadBalancer',
  )
  .rule(
    'self.platform.type == "Azure" ? self.services.exists(s, s.service == "Konnectivity" && s.servicePublishingStrategy.type == "Route") : true',
    'Azure platform requires Konnectivity to use Route service publishing strategy',
  )
  .rule(
    'self.platform.type == "Azure" ? self.services.exists(s, s.service == "Ignition" && s.servicePublishingStrategy.type == "Route") : true',
    'Azure platform requires Ignition to use Route service publishing strategy',
  )
  .rule(
    'has(self.issuerURL) || !has(self.serviceAccountSigningKey)',
    'If serviceAccountSigningKey is set, issuerURL must be set',
  )
  .rule(
    '!self.services.exists(s, s.service == \'APIServer\' && has(s.servicePublishingStrategy.loadBalancer) && s.servicePublishingStrategy.loadBalancer.hostname != "" && has(self.configuration) && has(self.configuration.apiServer) && has(self.configuration.apiServer.servingCerts) && has(self.configuration.apiServer.servingCerts.namedCertificates) && self.configuration.apiServer.servingCerts.namedCertificates.exists(cert, has(cert.names) && cert.names.exists(n, n == s.servicePublishingStrategy.loadBalancer.hostname)))',
    'APIServer loadBalancer hostname cannot be in ClusterConfiguration.apiserver.servingCerts.namedCertificates[]',
  )
  .rule(
    "!has(self.operatorConfiguration) || !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork) || !self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork || self.networking.networkType == 'Other'",
    "disableMultiNetwork can only be set to true when networkType is 'Other'",
  )
  .rule(
    "self.networking.networkType == 'OVNKubernetes' || !has(self.operatorConfiguration) || !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig)",
    'ovnKubernetesConfig is forbidden when networkType is not OVNKubernetes',
  )
  .rule(
    '!has(oldSelf.secretEncryption) || has(self.secretEncryption)',
    'secretEncryption cannot be removed once configured',
  );
