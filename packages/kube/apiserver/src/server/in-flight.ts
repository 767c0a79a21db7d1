import { statusErrors } from '@hypershift-ts/kube-apimachinery';

const mutatingVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Requests that may take as long as they like and are therefore not counted. */
export function isLongRunning(verb: string, subresource: string): boolean {
  return verb === 'watch' || ['exec', 'attach', 'log', 'portforward', 'proxy'].includes(subresource);
}

/** Bounds how many requests are under way at once (--max-requests-inflight, --max-mutating-requests-inflight). */
export class InFlight {
  private readonly limits: { readonly reading: number; readonly mutating: number };
  private reading = 0;
  private mutating = 0;

  constructor(limits: { readonly reading: number; readonly mutating: number }) {
    this.limits = limits;
  }

  /** Takes a place and returns how to give it back; 429 when all are taken. */
  enter(verb: string): () => void {
    const mutates = mutatingVerbs.has(verb);
    const taken = mutates ? this.mutating : this.reading;
    if (taken >= (mutates ? this.limits.mutating : this.limits.reading))
      throw statusErrors.tooManyRequests('too many requests, please try again later', 1);
    if (mutates) this.mutating++;
    else this.reading++;
    return () => {
      if (mutates) this.mutating--;
      else this.reading--;
    };
  }
}
