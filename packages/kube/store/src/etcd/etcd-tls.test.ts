import { afterEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../store.ts';
import { EtcdTestBed, etcdUnavailable } from '../testing/etcd-server.ts';
import type { EtcdTls } from './connection.ts';
import { createEtcdStore, type EtcdStore } from './etcd-store.ts';

describe.skipIf(etcdUnavailable())('etcd store over TLS', () => {
  const stores: EtcdStore[] = [];
  const beds: EtcdTestBed[] = [];
  const connect = (endpoints: readonly string[], tls: EtcdTls, timeoutMs: number): EtcdStore => {
    const store = createEtcdStore({ endpoints, tls, timeoutMs });
    stores.push(store);
    return store;
  };
  const aBed = (names?: string): EtcdTestBed => {
    const bed = new EtcdTestBed(names);
    beds.push(bed);
    return bed;
  };
  afterEach(async () => {
    await Promise.all(
      [...stores.splice(0), ...beds.splice(0)].map((each) => ('close' in each ? each.close() : each.dispose())),
    );
  });

  it('When the certificate is for another server, it should refuse to talk to it and say why', async () => {
    const bed = aBed('DNS:elsewhere.example');
    const { endpoints } = await bed.start();
    await expect(connect(endpoints, bed.tls, 2_000).get('/a')).rejects.toThrow(/altnames/);
  });

  it('When the client certificate is from another authority, it should be refused', async () => {
    const bed = aBed();
    const { endpoints } = await bed.start();
    await connect(endpoints, bed.tls, 10_000).currentRevision();
    const wrong = { ...aBed().tls, ca: bed.tls.ca };
    await expect(connect(endpoints, wrong, 1_000).get('/a')).rejects.toBeInstanceOf(StoreUnavailableError);
  });
});
