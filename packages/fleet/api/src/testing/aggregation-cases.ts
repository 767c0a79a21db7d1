import type { ReportStatus } from '../resources/index.ts';

/** What an adapter said. */
export type ReportRow = [
  adapter: string,
  generation: number,
  available: ReportStatus,
  finalized: ReportStatus | null,
  at: number,
];
/** A condition as it was before. */
export type PreviousRow = [status: 'True' | 'False', generation: number, updated: number, transition: number];
export interface ExpectedCondition {
  status?: string;
  reason?: string;
  message?: string;
  observed_generation?: number;
  last_updated?: number;
  last_transition?: number;
}
/** One line of the shared truth table; times are seconds on any clock. */
export interface AggregationCase {
  id: string;
  required?: string[];
  generation: number;
  refTime: number;
  reports: ReportRow[];
  prevReconciled?: PreviousRow;
  prevLastKnown?: PreviousRow;
  deleted?: boolean;
  activeChildren?: boolean;
  reconciled?: ExpectedCondition;
  lastKnown?: ExpectedCondition;
  adapterConditions?: [type: string, status: string, generation: number, updated: number][];
  hardDeleted?: boolean;
}
