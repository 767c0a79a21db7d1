const text = { type: 'string', minLength: 1 };
const cidr = { type: 'string', pattern: '^[0-9a-fA-F.:]+/[0-9]{1,3}$' };
const email = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' };

/**
 * The provider schema used when none is configured: fields of GCP clusters are checked where they are given, and
 * anything else is accepted, because a provider may have more to say.
 */
export const builtinSchemaDocument = {
  openapi: '3.0.0',
  info: { title: 'HyperFleet provider schema', version: '1.0.0' },
  paths: {},
  components: {
    schemas: {
      ClusterSpec: {
        type: 'object',
        properties: {
          gcp_project_id: text,
          gcp_project_number: { type: 'string', pattern: '^[0-9]{1,25}$' },
          gcp_region: text,
          vpc_network_name: text,
          psc_subnet_name: text,
          wif_pool_id: text,
          wif_provider_id: text,
          control_plane_sa_email: email,
          nodepool_sa_email: email,
          endpoint_access: { type: 'string', enum: ['Private', 'PublicAndPrivate'] },
          openshift_version: text,
          cluster_network_cidr: cidr,
          service_network_cidr: cidr,
          machine_network_cidr: cidr,
          base_domain: text,
        },
      },
      NodePoolSpec: { type: 'object', properties: { replicas: { type: 'integer', minimum: 0 } } },
      ChannelSpec: { type: 'object' },
      VersionSpec: { type: 'object' },
      WifConfigSpec: { type: 'object' },
      ManagementClusterSpec: {
        type: 'object',
        required: ['region', 'consumer_name'],
        properties: {
          region: text,
          consumer_name: text,
          capacity: { type: 'object', properties: { max_hosted_clusters: { type: 'integer', minimum: 0 } } },
          endpoints: { type: 'object' },
        },
      },
    },
  },
};
