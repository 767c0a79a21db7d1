import { labels } from '@hypershift-ts/hypershift-api';
import { EmbeddedCatalogue } from '@hypershift-ts/hypershift-release';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Connection } from '../cluster-access/index.ts';

export interface ClientVersions {
  readonly version: string;
  readonly node: string;
  /** Releases that need no registry, newest first. */
  readonly embeddedReleases: readonly string[];
}

export interface ServerVersions {
  readonly server: string;
  /** What the operator calls itself; undefined when it has not said. */
  readonly operator: string | undefined;
  /** Minor versions it supports, newest first. */
  readonly supportedVersions: readonly string[];
}

export function clientVersions(version: string): ClientVersions {
  return { version, node: process.version, embeddedReleases: new EmbeddedCatalogue().versions };
}

/** What the operator publishes about itself. */
export async function serverVersions({ client, server }: Connection, namespace: string): Promise<ServerVersions> {
  const labelSelector = `${labels.supportedVersions.key}=true`;
  const { items } = await client.list(corev1.configmaps, { namespace, labelSelector });
  const data = items[0]?.data ?? {};
  return { server, operator: data['server-version'], supportedVersions: supported(data['supported-versions']) };
}

function supported(text: string | undefined): readonly string[] {
  try {
    const { versions } = JSON.parse(text ?? '{}') as { readonly versions?: unknown };
    return Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : [];
  } catch {
    return [];
  }
}

export function versionText({
  client,
  server,
}: {
  readonly client: ClientVersions;
  readonly server?: ServerVersions;
}): string {
  return [
    `Client:   ${client.version} (Node.js ${client.node})`,
    `Embedded: ${client.embeddedReleases.join(', ')}`,
    ...(server
      ? [
          `Operator: ${server.operator || 'does not say'} at ${server.server}`,
          `Supports: ${server.supportedVersions.join(', ') || 'not published'}`,
        ]
      : []),
  ].join('\n');
}
