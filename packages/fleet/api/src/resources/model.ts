import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Instant } from '../instant.ts';

/** One condition the API computed about a resource. */
export interface ResourceCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly observed_generation: number;
  readonly created_time: Instant;
  readonly last_updated_time: Instant;
  readonly last_transition_time: Instant;
}

export interface Owner {
  readonly id: string;
  readonly kind: string;
  readonly href: string;
}

/** An outgoing reference with what is needed to show it. */
export interface Reference {
  readonly ref_type: string;
  readonly id: string;
  readonly kind: string;
  readonly href: string;
}

/** A resource as the database keeps it, with everything that hangs on it. */
export interface Resource {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly href: string;
  readonly spec: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly tenancy: Readonly<Record<string, string>>;
  readonly generation: number;
  readonly owner?: Owner;
  readonly references: readonly Reference[];
  readonly conditions: readonly ResourceCondition[];
  readonly created_time: Instant;
  readonly updated_time: Instant;
  readonly created_by: string;
  readonly updated_by: string;
  readonly deleted_time?: Instant;
  readonly deleted_by?: string;
}

export type ReportStatus = 'True' | 'False' | 'Unknown';

export interface AdapterCondition {
  readonly type: string;
  readonly status: ReportStatus;
  readonly reason?: string;
  readonly message?: string;
  readonly last_transition_time: Instant;
}

/** The last report of one adapter about one resource. */
export interface AdapterStatus {
  readonly adapter: string;
  readonly observed_generation: number;
  readonly conditions: readonly AdapterCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
  readonly created_time: Instant;
  /** The moment the adapter looked (`observed_time` of its report). */
  readonly last_report_time: Instant;
}

export const isDeleting = (resource: Resource): boolean => resource.deleted_time !== undefined;
