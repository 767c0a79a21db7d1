import { type Bundle, metadataOf } from '../bundle.ts';
import type { Consumer } from '../consumer-rows.ts';

export const basePath = '/api/maestro/v1';

export function consumerView({ id, name, labels, createdAt, updatedAt }: Consumer): object {
  return {
    id,
    kind: 'Consumer',
    href: `${basePath}/consumers/${id}`,
    name,
    ...(labels ? { labels } : {}),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** Two keys of the status begin with capitals, as clients know them. */
export function bundleView(bundle: Bundle): object {
  const { id, name, consumer, version, createdAt, updatedAt, deletedAt, data, status } = bundle;
  return {
    id,
    kind: 'ResourceBundle',
    href: `${basePath}/resource-bundles/${id}`,
    name,
    consumer_name: consumer,
    version,
    created_at: createdAt,
    updated_at: updatedAt,
    ...(deletedAt ? { deleted_at: deletedAt } : {}),
    metadata: metadataOf(bundle),
    manifests: data.manifests ?? [],
    ...(data.manifestConfigs ? { manifest_configs: data.manifestConfigs } : {}),
    ...(data.deleteOption ? { delete_option: data.deleteOption } : {}),
    ...(status ? { status: { ObservedVersion: status.version, SequenceID: status.sequenceId, ...status.data } } : {}),
  };
}

export function listView(kind: string, page: number, total: number, items: readonly object[]): object {
  return { kind, page, size: items.length, total, items };
}
