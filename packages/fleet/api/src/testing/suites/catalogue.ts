import { describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { startTestServer } from '../fleet-server.ts';
import { parseCatalogue } from '../request-catalogue.ts';
import { vectors } from '../vectors.ts';

const file = 'api/requests.http';

/** Requests that are refused: reports that are incomplete and years old, and a parent that still has a child. */
const refused: Record<string, number> = {
  deleteChannel: 409,
  reportNodePoolStatus: 400,
  reportChannelStatus: 400,
  reportVersionStatus: 400,
  reportWifConfigStatus: 400,
};

/** Replays upstream's catalogue of requests; what deletes comes last, as its sections depend on each other. */
export function catalogueSuite(database: () => Database): void {
  describe.skipIf(!vectors.has(file))('The catalogue of requests', () => {
    it('When all its requests are replayed, each should be answered as documented and keep to the contract', async () => {
      const server = await startTestServer(database());
      const { requests, variables } = parseCatalogue(vectors.text(file));
      expect(requests).toHaveLength(65);
      const answers = new Map<string, { items?: { id: string }[]; id?: string }>();
      const variable = (name: string): string => {
        if (name === '$isoTimestamp' || name === '$timestamp') return new Date(server.clock.now()).toISOString();
        if (name === 'resourceId') return answers.get('createResource')?.id ?? '';
        const value = variables.get(name) ?? '';
        const [, source] = /^\{\{(\w+)\.response/.exec(value) ?? [];
        return source === undefined ? value : (answers.get(source)?.items?.[0]?.id ?? '');
      };
      const filled = (text: string): string => text.replace(/\{\{([^}]+)\}\}/g, (_, name: string) => variable(name));

      // The search for a cluster stands before its creation in the file.
      const isLast = (name: string) => /^(forceD|d)elete/.test(name);
      const searches = requests.filter(({ name }) => name === 'listClustersWithSearch');
      const ordered = [...requests.filter(({ name }) => !isLast(name)), ...requests.filter(({ name }) => isLast(name))];
      const outcomes: Record<string, number> = {};
      for (const request of ordered) {
        const path = filled(request.url.replace('{{baseUrl}}', ''))
          .replace('http://localhost:8080', server.api.healthUrl)
          .replace('http://localhost:9090', server.api.metricsUrl);
        const answer = await server.call(request.method, encodeURI(path), request.body && filled(request.body));
        answers.set(request.name, answer.body);
        outcomes[request.name] = answer.status;
        if (request.name === 'createCluster') {
          for (const search of searches)
            answers.set(
              search.name,
              (await server.call('GET', encodeURI(filled(search.url.replace('{{baseUrl}}', ''))))).body,
            );
        }
      }
      const unexpected = Object.entries(outcomes).filter(([name, status]) => {
        if (name.startsWith('forceDelete')) return status !== 400;
        return refused[name] === undefined ? status < 200 || status > 299 : status !== refused[name];
      });
      expect(unexpected).toEqual([]);
      expect(server.checked()).toBeGreaterThan(30);
      await server.stop();
    });
  });
}
