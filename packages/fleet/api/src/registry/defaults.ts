import type { Entity } from './entity.ts';

const heartbeat = 'statuses.filter(s, s.adapter == "heartbeat")[0].conditions.filter(c, c.type == "Health")[0]';

/** The kinds served when the configuration names none. */
export const defaultEntities: readonly Entity[] = [
  {
    kind: 'Cluster',
    plural: 'clusters',
    spec_schema_name: 'ClusterSpec',
    require_spec_schema: true,
    required_adapters: ['validation', 'dns', 'pullsecret', 'hypershift'],
    name_min_len: 3,
    name_max_len: 53,
  },
  {
    kind: 'NodePool',
    plural: 'nodepools',
    parent_kind: 'Cluster',
    on_parent_delete: 'cascade',
    spec_schema_name: 'NodePoolSpec',
    require_spec_schema: true,
    required_adapters: ['validation', 'hypershift'],
    name_min_len: 3,
    name_max_len: 15,
  },
  { kind: 'Channel', plural: 'channels', spec_schema_name: 'ChannelSpec' },
  {
    kind: 'Version',
    plural: 'versions',
    parent_kind: 'Channel',
    on_parent_delete: 'restrict',
    spec_schema_name: 'VersionSpec',
  },
  { kind: 'WifConfig', plural: 'wifconfigs', spec_schema_name: 'WifConfigSpec' },
];

/**
 * The inventory of management clusters, from which placement picks. Nobody deploys anything for one, so no adapter is
 * required; `Healthy` repeats what the heartbeat adapter last said about it.
 */
export const managementClusterEntity: Entity = {
  kind: 'ManagementCluster',
  plural: 'management-clusters',
  spec_schema_name: 'ManagementClusterSpec',
  name_min_len: 3,
  name_max_len: 63,
  conditions: [
    {
      type: 'Healthy',
      when: {
        expression: 'statuses.exists(s, s.adapter == "heartbeat" && s.conditions.exists(c, c.type == "Health"))',
      },
      output: {
        status: { expression: `${heartbeat}.status` },
        reason: { expression: `${heartbeat}.reason` },
        message: { expression: `${heartbeat}.message` },
      },
    },
  ],
};
