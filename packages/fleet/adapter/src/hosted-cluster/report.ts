import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** What looking up the ManifestWork of a cluster gave. */
export type WorkLookup =
  | { readonly kind: 'created' }
  | { readonly kind: 'found'; readonly status: JsonObject }
  | { readonly kind: 'failed'; readonly message: string };

export interface ReportCondition {
  readonly type: 'Applied' | 'Available' | 'Health';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export interface HostedClusterReport {
  readonly conditions: readonly ReportCondition[];
  readonly data: { readonly control_plane_endpoint: string; readonly version: string };
}

const HEALTHY: ReportCondition = {
  type: 'Health',
  status: 'True',
  reason: 'NoIssues',
  message: 'No degradation detected',
};
const NOTHING = { control_plane_endpoint: '', version: '' };

const available = (status: 'True' | 'False', reason: string, message: string): ReportCondition => ({
  type: 'Available',
  status,
  reason,
  message,
});
const provisioning = available('False', 'Provisioning', 'Control plane provisioning in progress');

/** The three conditions and the data that the control plane adapter reports. */
export function hostedClusterReport(lookup: WorkLookup): HostedClusterReport {
  switch (lookup.kind) {
    case 'created':
      return {
        conditions: [
          applied('ManifestWorkCreated', 'HostedCluster CR sent to management cluster'),
          provisioning,
          HEALTHY,
        ],
        data: NOTHING,
      };
    case 'failed':
      return {
        conditions: [
          { type: 'Applied', status: 'False', reason: 'MaestroError', message: lookup.message },
          available('False', 'Unknown', 'Cannot determine status'),
          { type: 'Health', status: 'False', reason: 'AdapterError', message: 'Maestro SDK call failed' },
        ],
        data: NOTHING,
      };
    case 'found':
      return {
        conditions: [
          applied('ManifestWorkExists', 'HostedCluster CR exists in management cluster'),
          availability(lookup.status),
          health(lookup.status),
        ],
        data: { control_plane_endpoint: endpointOf(lookup.status), version: versionOf(lookup.status) },
      };
    default:
      return lookup satisfies never;
  }
}

function applied(reason: string, message: string): ReportCondition {
  return { type: 'Applied', status: 'True', reason, message };
}

function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  const conditions: readonly unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : [];
  return conditions.filter(isJsonObject).find((condition) => condition['type'] === type);
}

function availability(status: JsonObject): ReportCondition {
  const condition = conditionOf(status, 'Available');
  if (!condition) return available('False', 'Unknown', 'Control plane status unknown');
  if (condition['status'] === 'True')
    return available('True', 'ControlPlaneReady', 'Control plane is ready and operational');
  if (conditionOf(status, 'Progressing')?.['status'] === 'True') return provisioning;
  return available('False', 'NotReady', 'Control plane not ready');
}

function health(status: JsonObject): ReportCondition {
  const degraded = conditionOf(status, 'Degraded');
  if (degraded?.['status'] !== 'True') return HEALTHY;
  const why = typeof degraded['message'] === 'string' ? degraded['message'] : '';
  return { type: 'Health', status: 'False', reason: 'Degraded', message: `Control plane is degraded: ${why}` };
}

/** HyperShift has host and port; older feedback a finished text. */
function endpointOf({ controlPlaneEndpoint: endpoint }: JsonObject): string {
  if (typeof endpoint === 'string') return endpoint;
  if (!isJsonObject(endpoint) || typeof endpoint['host'] !== 'string' || endpoint['host'] === '') return '';
  const port = text(endpoint['port']);
  return `https://${endpoint['host']}${port === '' ? '' : `:${port}`}`;
}

/** The newest version that was completely rolled out. */
function versionOf({ version }: JsonObject): string {
  if (!isJsonObject(version)) return text(version);
  const history: readonly unknown[] = Array.isArray(version['history']) ? version['history'] : [];
  const completed = history.filter(isJsonObject).find(({ state }) => state === 'Completed');
  return text(completed?.['version']);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
