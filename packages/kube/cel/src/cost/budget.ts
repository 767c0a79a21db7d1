/** Limits Kubernetes applies; see https://kubernetes.io/docs/reference/using-api/cel/#resource-constraints. */
export const CostLimit = {
  /** One evaluation of one expression. */
  perCall: 1_000_000,
  /** All rules of one object, at run time. */
  perObject: 10_000_000,
  /** All match conditions of one webhook or policy. */
  matchConditions: 2_500_000,
  /** Estimated cost of one rule when a CRD is written. */
  perRuleEstimate: 10_000_000,
  /** Estimated cost of all rules of a CRD. */
  perCrdEstimate: 100_000_000,
} as const;

/** What is left to spend, shared by several evaluations. */
export class CostBudget {
  private left: number;

  constructor(limit: number = CostLimit.perObject) {
    this.left = limit;
  }
  get remaining(): number {
    return this.left;
  }
  get exhausted(): boolean {
    return this.left < 0;
  }
  spend(cost: number): void {
    this.left = this.left < 0 || cost > this.left ? -1 : this.left - cost;
  }
}
