import type { Database } from '../../database/index.ts';
import { catalogueSuite } from './catalogue.ts';
import { edgeSuite } from './edges.ts';
import { lifecycleSuite } from './lifecycle.ts';
import { listSuite } from './lists.ts';
import { referenceSuite } from './references.ts';
import { spikeSuite } from './spike.ts';
import { tenancySuite } from './tenancy.ts';

/** Everything the API promises, over HTTP; runs on every database there is. */
export function apiSuites(database: () => Database): void {
  for (const suite of [catalogueSuite, lifecycleSuite, listSuite, referenceSuite, tenancySuite, spikeSuite, edgeSuite])
    suite(database);
}
