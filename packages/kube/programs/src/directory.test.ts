import { describe, expect, it } from 'vitest';
import { type LocalApiServer, ProcessDirectory } from './directory.ts';

/** A server of which the directory looks at nothing but its certificates. */
function aServer(fingerprint: string) {
  const closing = new AbortController();
  const entry: LocalApiServer = {
    server: {} as LocalApiServer['server'],
    fingerprints: [fingerprint],
    clientCa: undefined,
    closed: closing.signal,
  };
  return { entry, closing };
}

describe('ProcessDirectory', () => {
  it('When a server gets new certificates, it should be found by those alone', () => {
    const directory = new ProcessDirectory();
    const { entry } = aServer('old');
    directory.addApiServer(entry);
    directory.renewApiServer(entry, ['new']);
    expect(directory.apiServersWith('old')).toEqual([]);
    expect(directory.apiServersWith('new')).toEqual([entry]);
  });

  it('When new certificates are read of a server that has stopped, it should not come back', () => {
    const directory = new ProcessDirectory();
    const { entry, closing } = aServer('old');
    const remove = directory.addApiServer(entry);
    closing.abort();
    remove();
    directory.renewApiServer(entry, ['new']);
    expect(directory.size.apiServers).toBe(0);
  });
});
