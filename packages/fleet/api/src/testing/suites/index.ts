import type { Database } from '@hypershift-ts/fleet-database';
import { aggregationSuite } from './aggregation.ts';
import { catalogueSuite } from './catalogue.ts';
import { edgeSuite } from './edges.ts';
import { lifecycleSuite } from './lifecycle.ts';
import { listSuite } from './lists.ts';
import { raceSuite } from './races.ts';
import { referenceSuite } from './references.ts';
import { securitySuite } from './security.ts';
import { spikeSuite } from './spike.ts';
import { tenancySuite } from './tenancy.ts';

/** Everything the API promises, over HTTP; runs on every database there is. */
export function apiSuites(database: () => Database): void {
  for (const suite of [catalogueSuite, lifecycleSuite, listSuite, referenceSuite, tenancySuite, spikeSuite, edgeSuite])
    suite(database);
}

/** What an embedded database, which does one thing at a time, cannot show, and what needs no particular one. */
export function serverSuites(database: () => Database): void {
  for (const suite of [raceSuite, securitySuite, aggregationSuite]) suite(database);
}
