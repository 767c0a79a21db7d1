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
  source: string({ maxLength: 255 }),
  mirrors: list(string({ maxLength: 255 }), { type: 'set', maxItems: 255 }).optional(),
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
  pullSecret: localObjectReference,
  release: releaseImage,
  services: list(servicePublishing, { maxItems: 6 }),
  additionalTrustBundle: localObjectReference.optional(),
  auditWebhook: localObjectReference.optional(),
  autoNode: autoNode.optional(),
  autoscaling: clusterAutoscaling.optional(),
  capabilities: capabilities.optional().default({}),
  channel: string({ minLength: 1, maxLength: 100 }).optional(),
  clusterID: string({ minLength: 36, maxLength: 36 })
    .optional()
    .rule(
      "self.matches('[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}')",
      'clusterID must be an RFC4122 UUID value (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx in hexadecimal digits)',
    )
    .rule('oldSelf == "" || self == oldSelf', 'clusterID is immutable'),
  configuration: clusterConfiguration.optional(),
  controlPlaneRelease: releaseImage.optional(),
  controllerAvailabilityPolicy: enumOf(['HighlyAvailable', 'SingleReplica'])
    .optional()
    .default('HighlyAvailable')
    .immutable('ControllerAvailabilityPolicy is immutable'),
  dns: dns.optional(),
  fips: boolean().optional().immutable('fips is immutable'),
  imageContentSources: list(imageContentSource, { maxItems: 255 }).optional(),
  infraID: string({ minLength: 1, maxLength: 253 })
    .optional()
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      "infraID must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
    )
    .rule('oldSelf == "" || self == oldSelf', 'infraID is immutable'),
  infrastructureAvailabilityPolicy: enumOf(['HighlyAvailable', 'SingleReplica']).optional().default('SingleReplica'),
  issuerURL: string({ maxLength: 255 })
    .optional()
    .default('https://kubernetes.default.svc')
    .immutable('issuerURL is immutable')
    .rule('isURL(self)', 'issuerURL must be a valid absolute URL'),
  kubeAPIServerDNSName: string({ maxLength: 253 })
    .optional()
    .rule(
      raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
      'kubeAPIServerDNSName must be a valid URL name (e.g., api.example.com)',
    ),
  labels: stringMap({ maxProperties: 20 }).optional(),
  monitoring: monitoring.optional(),
  nodeSelector: stringMap().optional().rule('size(self) <= 20', 'nodeSelector map can have at most 20 entries'),
  olmCatalogPlacement: enumOf(['management', 'guest'])
    .optional()
    .default('management')
    .immutable('OLMCatalogPlacement is immutable'),
  operatorConfiguration: operatorConfiguration.optional(),
  pausedUntil: string({ minLength: 4, maxLength: 35 })
    .optional()
    .rule(
      raw`self.matches('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}.*$') || self in ['true', 'false', 'True', 'False']`,
      "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
    ),
  secretEncryption: secretEncryption.optional(),
  serviceAccountSigningKey: localObjectReference.optional(),
  sshKey: localObjectReference.optional(),
  tolerations: list(toleration, { maxItems: 25 }).optional(),
  updateService: string().optional().rule('isURL(self)', 'updateService must be a valid absolute URL'),
})
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
