/** Where something is reached: a host and a port. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Where a name leads that only DNS elsewhere would know; what it does not know comes back as it is. */
export type Resolve = (place: Place) => Place;
