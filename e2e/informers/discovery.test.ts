import { RestMapper } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

describe('Discovery inside the process', () => {
  let test: TestCluster;

  beforeAll(async () => {
    test = await startTestCluster();
  }, 60_000);

  afterAll(() => test?.stop(), 60_000);

  it('When everything is asked for, it should take two requests and say what it says over HTTPS', async () => {
    const near = test.cluster.client();
    const asked: string[] = [];
    const raw = near.raw.bind(near);
    near.raw = (method, path, options) => {
      asked.push(path);
      return raw(method, path, options);
    };
    const inside = await new RestMapper(near).resources();
    expect(asked).toEqual(['/api', '/apis']);
    expect(inside).toEqual(await new RestMapper(test.client).resources());
    expect(inside.length).toBeGreaterThan(50);
  });
});
