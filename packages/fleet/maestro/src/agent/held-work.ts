import { EventFormatError } from '@hypershift-ts/fleet-cloud-events';
import type { ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import { type ManifestBundle, specOf } from '../protocol/payloads.ts';
import type { WorkEvent } from '../protocol/work-event.ts';
import type { ManifestWorkSpec, ManifestWorkStatus } from '../work/manifest-work.ts';

/** A work as its agent has it: in memory only, since the server sends everything again. */
export interface HeldWork {
  readonly id: string;
  readonly version: number;
  /** The server that sent it, which reports go to. */
  readonly source: string;
  readonly metadata: ObjectMeta;
  readonly spec: ManifestWorkSpec;
  readonly isDeleting: boolean;
  /** Why it cannot be applied at all. */
  readonly refusal?: string;
  readonly status: ManifestWorkStatus;
}

/** Larger works are refused, as by every other part of the way. */
const largestWork = 500 * 1024;

/** What an event makes of a work; the status stays until there is a new one. */
export function receive(event: WorkEvent, known: HeldWork | undefined): HeldWork {
  const bundle = bundleIn(event.data);
  const isDeleting = event.deletionTimestamp !== undefined || (known?.isDeleting ?? false);
  const spec = isDeleting && known ? known.spec : specOf(bundle);
  const refusal = isDeleting ? undefined : refusalOf(spec);
  return {
    id: event.resourceId,
    version: event.version,
    source: event.source,
    metadata: event.metadata ?? known?.metadata ?? { name: event.resourceId },
    spec,
    isDeleting,
    ...(refusal ? { refusal } : {}),
    status: known?.status ?? {},
  };
}

function bundleIn(data: unknown): ManifestBundle {
  if (data === undefined || data === null) return {};
  if (typeof data !== 'object' || Array.isArray(data)) throw new EventFormatError("the event's data is no JSON object");
  const { manifests } = data as ManifestBundle;
  if (manifests !== undefined && !Array.isArray(manifests)) throw new EventFormatError('manifests is no list');
  return data as ManifestBundle;
}

/** Upstream drops such works without a word; whoever sent one should learn why nothing happens. */
function refusalOf({ workload }: ManifestWorkSpec): string | undefined {
  const manifests = workload.manifests ?? [];
  if (manifests.length === 0) return 'the work has no manifests';
  const size = Buffer.byteLength(JSON.stringify(manifests));
  if (size > largestWork) return `the manifests are ${size} bytes, more than ${largestWork}`;
  for (const [index, { apiVersion, kind, metadata } = {} as never] of manifests.entries()) {
    const missing = apiVersion ? (kind ? 'metadata.name' : 'kind') : 'apiVersion';
    if (!apiVersion || !kind || !metadata?.name) return `manifests[${index}] has no ${missing}`;
  }
  return undefined;
}
