import type { Database } from '../../database/index.ts';
import { catalogueSuite } from './catalogue.ts';
import { edgeSuite } from './edges.ts';
import { lifecycleSuite } from './lifecycle.ts';
import { listSuite } from './lists.ts';
import { raceSuite } from './races.ts';
import { referenceSuite } from './references.ts';
import { securitySuite } from './security.ts';
import { spikeSuite } from './spike.ts';
import { tenancySuite } from './tenancy.ts';

const suites = [
  catalogueSuite,
  lifecycleSuite,
  listSuite,
  referenceSuite,
  tenancySuite,
  spikeSuite,
  raceSuite,
  securitySuite,
  edgeSuite,
];

/** Everything the API promises, over HTTP; runs on every database there is. */
export function apiSuites(database: () => Database): void {
  for (const suite of suites) suite(database);
}
