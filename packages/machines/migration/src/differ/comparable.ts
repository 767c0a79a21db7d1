import { isJsonObject, type KubeObject, type ObjectMeta } from '@hypershift-ts/kube-apimachinery';

type Fields = { readonly [field: string]: unknown };

/** Metadata that belongs to the server or to one copy alone. */
const ownMetadata: ReadonlySet<string> = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'finalizers',
  'managedFields',
]);

/** Written by conversion webhooks for their own use. */
const conversionData = 'cluster.x-k8s.io/conversion-data';

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** What two copies of an object share of their metadata. */
export function comparableMetadata({ annotations = {}, ...metadata }: ObjectMeta): Fields {
  const { [conversionData]: _, ...kept } = annotations;
  return Object.fromEntries(
    Object.entries({ ...metadata, annotations: kept }).filter(
      ([name, value]) => !ownMetadata.has(name) && !isEmpty(value),
    ),
  );
}

/** What two copies of an object share of their status: conditions by type, without their times. */
export function comparableStatus(status: unknown, ignored: IgnoredStatus): Fields {
  const { conditions, v1beta2, deprecated, ...rest } = isJsonObject(status) ? status : {};
  const byType = (list: unknown) => conditionsByType(list, ignored.conditions ?? []);
  const nested = (block: unknown): Fields =>
    isJsonObject(block) ? { ...block, conditions: byType(block['conditions']) } : { conditions: {} };
  const old = isJsonObject(deprecated) ? deprecated['v1beta1'] : undefined;
  return Object.fromEntries(
    Object.entries({
      ...rest,
      conditions: byType(conditions),
      v1beta2: nested(v1beta2),
      deprecated: { v1beta1: nested(old) },
    }).filter(([name]) => !(ignored.fields ?? []).includes(name)),
  );
}

/** What is not compared of a status, beside times. */
export interface IgnoredStatus {
  readonly fields?: readonly string[];
  /** Types of conditions that only one side can know. */
  readonly conditions?: readonly string[];
}

function conditionsByType(list: unknown, ignored: readonly string[]): Fields {
  if (!Array.isArray(list)) return {};
  return Object.fromEntries(
    (list as readonly { readonly type: string; readonly lastTransitionTime?: string }[])
      .filter(({ type }) => !ignored.includes(type))
      .map((condition) => [condition.type, { ...condition, lastTransitionTime: undefined }]),
  );
}

export type Comparable = KubeObject & { readonly spec?: unknown; readonly status?: unknown };
