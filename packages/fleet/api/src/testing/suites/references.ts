import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { startTestServer, type TestServer } from '../fleet-server.ts';

const config = `
entities:
  - {kind: Image, plural: images}
  - kind: Machine
    plural: machines
    required_adapters: [boot]
    references: [{ref_type: image, target_kind: Image, min: 1, max: 1}]
`;

/** References between resources on a real database. */
export function referenceSuite(database: () => Database): void {
  describe('References', () => {
    let server: TestServer;
    let image: { id: string; href: string };
    let machine: { id: string; href: string };
    beforeAll(async () => {
      server = await startTestServer(database(), config);
      image = (await server.call('POST', '/images', { kind: 'Image', name: 'one', spec: {} })).body;
      const references = { image: [{ id: image.id, kind: 'Image' }] };
      machine = (await server.call('POST', '/machines', { kind: 'Machine', name: 'm', spec: {}, references })).body;
    });
    afterAll(() => server.stop());

    it('When a resource refers to another, it should show the target and be found by it', async () => {
      expect(machine).toMatchObject({ references: { image: [{ id: image.id, kind: 'Image', href: image.href }] } });
      const found = await server.call('GET', `/machines?ref_type=image&ref_target_id=${image.id}`);
      expect(found.body.items).toMatchObject([{ id: machine.id }]);
      expect((await server.call('GET', '/machines?ref_type=image&ref_target_id=x')).body.total).toBe(0);
      expect((await server.call('GET', '/machines?ref_type=nope&ref_target_id=x')).status).toBe(400);
      expect((await server.call('GET', '/machines?ref_type=image')).status).toBe(400);
    });

    it('When a target is missing or the wrong one, it should be refused', async () => {
      for (const references of [
        {},
        { image: [{ id: 'x', kind: 'Image' }] },
        { image: [{ id: machine.id, kind: 'Image' }] },
      ]) {
        const answer = await server.call('POST', '/machines', { kind: 'Machine', name: 'n', spec: {}, references });
        expect(answer.status).toBe(400);
      }
    });

    it('When references change, it should be a new generation; the same ones again should not', async () => {
      const other = (await server.call('POST', '/images', { kind: 'Image', name: 'two', spec: {} })).body;
      const patch = (id: string) =>
        server.call('PATCH', machine.href, { references: { image: [{ id, kind: 'Image' }] } });
      expect((await patch(image.id)).body.generation).toBe(1);
      expect((await patch(other.id)).body).toMatchObject({ generation: 2, references: { image: [{ id: other.id }] } });
      expect((await patch(image.id)).body.generation).toBe(3);
    });

    it('When a target is deleted, it should be refused until nobody refers to it', async () => {
      const refused = await server.call('DELETE', image.href);
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        'cannot delete Image "one": referenced by Machine "m" — remove the reference(s) before deleting',
      ]);
      expect((await server.call('DELETE', machine.href)).body.references).toBeUndefined();
      expect((await server.call('DELETE', image.href)).status).toBe(202);
    });
  });
}
