import { benchHostedClusters } from './hypershift/clusters.ts';
import { benchApiServer } from './kube/api-server.ts';
import { benchCreates } from './kube/creates.ts';
import { benchMemory } from './kube/memory.ts';
import { benchStore } from './kube/store.ts';
import { benchWatch } from './kube/watch.ts';
import { benchClusterApi } from './machines/cluster-api/index.ts';
import { benchNodes } from './machines/nodes.ts';
import { benchNodePools } from './machines/pools.ts';

/** Parts by name; `make bench` runs all, `node scripts/bench.mjs watch` one. */
const parts: Record<string, (print: (line: string) => void) => Promise<void>> = {
  memory: benchMemory,
  store: benchStore,
  creates: benchCreates,
  requests: benchApiServer,
  watch: benchWatch,
  nodes: benchNodes,
  capi: benchClusterApi,
  clusters: benchHostedClusters,
  pools: benchNodePools,
};

const wanted = process.argv.slice(2);
const print = (line: string): void => console.log(line);
for (const [name, run] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) {
    print(`\n# ${name}`);
    await run(print);
  }
process.exit(0);
