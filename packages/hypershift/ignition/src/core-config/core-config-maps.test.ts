import { describe, expect, it } from 'vitest';
import { rawConfig } from '../rollout/raw-config.ts';
import { coreConfigMaps } from './core-config-maps.ts';

const inputs = { namespace: 'clusters-example', fips: false, sshKey: 'ssh-ed25519 AAAA', imageContentSources: [] };
const mirrored = {
  ...inputs,
  imageContentSources: [{ source: 'quay.io/a', mirrors: ['m.io/a'] }, { source: 'quay.io/b' }],
};

describe('coreConfigMaps', () => {
  it('When the cluster mirrors images, it should write the set with the bytes that Go writes', () => {
    expect(coreConfigMaps(mirrored)[2]?.data?.['config']).toBe(`apiVersion: config.openshift.io/v1
kind: ImageDigestMirrorSet
metadata:
  labels:
    machineconfiguration.openshift.io/role: worker
  name: cluster
spec:
  imageDigestMirrors:
  - mirrors:
    - m.io/a
    source: quay.io/a
  - source: quay.io/b
status: {}
`);
  });

  it.each([
    ['no mirrors', inputs, false],
    ['mirrors', mirrored, true],
  ])(
    'When the cluster has %s, a pool should find as many ConfigMaps as it expects',
    (_, given, hasImageContentSources) => {
      const core = coreConfigMaps(given).map(({ metadata, data }) => ({
        name: metadata.name ?? '',
        ...(data ? { data } : {}),
      }));
      const apiServerProxy = 'kind: MachineConfig\n';
      expect(rawConfig({ apiServerProxy, core, user: [], hasImageContentSources })).toContain('name: 99-worker-ssh');
    },
  );
});
