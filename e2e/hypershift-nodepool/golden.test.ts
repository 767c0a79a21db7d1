/** Names that machines depend on: a build that changes one of them replaces every machine of a pool in the field. */
import { readFileSync, writeFileSync } from 'node:fs';
import { goJson, machineTemplateName } from '@hypershift-ts/hypershift-ignition';
import { platforms } from '@hypershift-ts/hypershift-platforms';
import { EmbeddedCatalogue, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { describe, expect, it } from 'vitest';
import { clusterOn } from '../../packages/hypershift/platforms/src/testing/clusters.ts';
import { poolOn } from '../../packages/hypershift/platforms/src/testing/node-pools.ts';

const file = new URL('fixtures/template-names.json', import.meta.url);

async function templateNames(): Promise<{ readonly [platform: string]: string }> {
  const release = await new EmbeddedCatalogue().lookup(embeddedReleaseImage('4.20.3'));
  const names = platforms.flatMap(({ type, machines }) => {
    if (!machines || type === 'IBMCloud') return [];
    const { spec } = machines.template({
      cluster: clusterOn(type),
      pool: poolOn(type),
      namespace: 'clusters-demo',
      release,
      stream: 'rhel-9',
      createsSecurityGroup: false,
    });
    return [[type, machineTemplateName('workers', goJson(spec))] as const];
  });
  return Object.fromEntries(names);
}

describe('Machine templates between builds', () => {
  it('When the same pools are given to a new build, their templates should be the same', async () => {
    const names = await templateNames();
    // Deliberate: only whoever wants machines in the field to be replaced records again.
    if (process.env['RECORD']) writeFileSync(file, `${JSON.stringify(names, null, 2)}\n`);
    expect(names).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });
});
