import { setTimeout as sleep } from 'node:timers/promises';
import { type StoreHarness, storeContract } from '../testing/contract.ts';
import { EtcdTestBed, etcdUnavailable } from '../testing/etcd-server.ts';
import { createEtcdStore } from './etcd-store.ts';

async function startEtcd(): Promise<StoreHarness> {
  const bed = new EtcdTestBed();
  const cluster = await bed.start();
  return {
    open: async () => {
      const store = createEtcdStore({ endpoints: cluster.endpoints, tls: bed.tls });
      await store.currentRevision();
      bed.clear(cluster);
      return store;
    },
    restore: async (snapshot) => {
      const restored = await bed.start(1, bed.restore(snapshot));
      return createEtcdStore({ endpoints: restored.endpoints, tls: bed.tls });
    },
    // Leases are counted by the server's clock, and expire up to a second late.
    elapse: (seconds) => sleep(seconds * 1000),
    dispose: () => bed.dispose(),
  };
}

storeContract('etcd', startEtcd, etcdUnavailable());
