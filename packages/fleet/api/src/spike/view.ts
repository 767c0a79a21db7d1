import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { type Instant, wireTime } from '../instant.ts';
import { type Entity, requiredAdapters } from '../registry/index.ts';
import { type AdapterStatus, isDeleting, presentResource, presentStatus, type Resource } from '../resources/index.ts';

type Phase = 'NotReady' | 'Ready' | 'Failed' | 'Terminating';

/** One word for the state of a resource, as its status had it before there were conditions for everything. */
function phaseOf(entity: Entity, resource: Resource, reports: readonly AdapterStatus[]): Phase {
  if (isDeleting(resource)) return 'Terminating';
  if (resource.conditions.some(({ type, status }) => type === 'Reconciled' && status === 'True')) return 'Ready';
  const required = requiredAdapters(entity);
  const isFailing = reports.some(
    (report) =>
      required.includes(report.adapter) &&
      report.observed_generation === resource.generation &&
      report.conditions.some(({ type, status }) => type === 'Health' && status === 'False'),
  );
  return isFailing ? 'Failed' : 'NotReady';
}

/** A resource with the members of the first published API: phase, adapters and times at the level of the status. */
export function spikeView(entity: Entity, resource: Resource, reports: readonly AdapterStatus[]): JsonObject {
  const today = presentResource(resource);
  const required = requiredAdapters(entity);
  const counted = reports.filter((report) => required.length === 0 || required.includes(report.adapter));
  return {
    ...today,
    metadata: { id: resource.id, name: resource.name, generation: resource.generation },
    status: {
      ...(today['status'] as JsonObject),
      phase: phaseOf(entity, resource, reports),
      observed_generation: Math.min(resource.generation, ...counted.map((report) => report.observed_generation)),
      last_updated_time: wireTime(
        earliest(
          counted.map((report) => report.last_report_time),
          resource.updated_time,
        ),
      ),
      last_transition_time: wireTime(
        resource.conditions.find(({ type }) => type === 'Reconciled')?.last_transition_time ?? resource.updated_time,
      ),
      adapters: reports.map(adapterView),
    },
  };
}

function earliest(times: readonly Instant[], fallback: Instant): Instant {
  return times.reduce((first, time) => (time < first ? time : first), times[0] ?? fallback);
}

function adapterView(report: AdapterStatus): JsonObject {
  const { conditions, data } = presentStatus(report);
  return {
    name: report.adapter,
    available: report.conditions.some(({ type, status }) => type === 'Available' && status === 'True'),
    observed_generation: report.observed_generation,
    conditions,
    ...(data === undefined ? {} : { data }),
  };
}
