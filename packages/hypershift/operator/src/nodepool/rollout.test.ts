import type { ReleaseImage } from '@hypershift-ts/hypershift-release';
import { describe, expect, it } from 'vitest';
import { completed, poolRollout, type RolloutFacts, rolloutMark, updatingVerdicts } from './rollout.ts';
import { aHostedCluster, aPool } from './testing/pools.ts';

const haproxy = new Map([['haproxy-router', 'haproxy:1']]);
const release = { version: '4.20.3', components: haproxy, canonicalComponents: haproxy } as unknown as ReleaseImage;
const running = { version: '4.20.3' };

const facts = (own: Partial<RolloutFacts> = {}): RolloutFacts => ({
  pool: aPool(),
  cluster: aHostedCluster(),
  release,
  isPrivate: false,
  kubeconfigServer: 'https://api.example.com:6443',
  controlPlaneOperator: { image: 'cpo', skipsHaproxy: true },
  core: [{ name: 'fips' }, { name: 'ssh' }],
  user: [],
  tuning: [],
  machineDeployment: undefined,
  machineSet: undefined,
  ...own,
});

const current = 'hypershift.openshift.io/nodePoolCurrentConfigVersion';
const config = 'hypershift.openshift.io/nodePoolCurrentConfig';
const motd = (text: string) => ({
  name: 'motd',
  data: {
    config: `apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: motd\nspec:\n  config:\n    ignition:\n      version: 3.2.0\n    storage:\n      files:\n      - path: /etc/motd\n        contents:\n          source: data:,${text}\n`,
  },
});

describe('poolRollout', () => {
  it('When a pool is new, it should run what was computed and remember it', () => {
    const rollout = poolRollout(facts());
    expect(rollout).toMatchObject({ isAdopted: false, mark: rollout.hash });
    expect(completed(rollout)).toEqual({
      [config]: rollout.configHash,
      [current]: rollout.hash,
      [rolloutMark]: rollout.hash,
    });
  });

  it('When another operator computed the hash of a settled pool, its nodes should stay as they are', () => {
    const taken = aPool({}, { annotations: { [current]: 'aaaa1111', [config]: 'bbbb2222' } }, running);
    const rollout = poolRollout(facts({ pool: taken }));
    expect(rollout).toMatchObject({ hash: 'aaaa1111', configHash: 'bbbb2222', isAdopted: true });
    for (const verdict of updatingVerdicts({ pool: taken, rollout, machineSet: undefined }))
      expect(verdict.status).toBe('False');
    const marked = aPool(
      {},
      { annotations: { [current]: 'aaaa1111', [config]: 'bbbb2222', [rolloutMark]: rollout.mark } },
      running,
    );
    expect(poolRollout(facts({ pool: marked }))).toEqual(rollout);
    const changed = poolRollout(facts({ pool: marked, user: [motd('hello')] }));
    expect(changed.isAdopted).toBe(false);
    expect(changed.hash).not.toBe('aaaa1111');
  });

  it('When such a pool is on its way to another release, it should go there', () => {
    const moving = aPool({}, { annotations: { [current]: 'aaaa1111' } }, { version: '4.20.1' });
    expect(poolRollout(facts({ pool: moving })).isAdopted).toBe(false);
  });

  it('When a pool of ours is changed, it should roll, whatever it ran', () => {
    const { hash } = poolRollout(facts());
    const pool = aPool({}, { annotations: { [current]: hash, [rolloutMark]: hash } }, running);
    const changed = poolRollout(facts({ pool, user: [motd('hello')] }));
    expect(changed).toMatchObject({ isAdopted: false });
    expect(changed.hash).not.toBe(hash);
  });

  it('When nodes already run a config that is not understood any more, it should not be judged again', () => {
    const broken = motd('x');
    const bad = { ...broken, data: { config: broken.data.config.replace('3.2.0', '9.9.9') } };
    expect(() => poolRollout(facts({ user: [bad] }))).toThrow('nodes stay as they are until then');
  });

  it('When registries are replaced on the management side, only pools that always had it so should name the replacement', () => {
    const components = new Map([['haproxy-router', 'mirror/haproxy:1']]);
    const replaced = { ...release, components };
    const before = aPool({}, { annotations: { [current]: 'x', [rolloutMark]: 'y' } }, running);
    expect(poolRollout(facts({ pool: before, release: replaced })).hash).not.toBe(
      poolRollout(facts({ pool: before })).hash,
    );
    expect(poolRollout(facts({ release: replaced })).hash).toBe(poolRollout(facts()).hash);
  });

  it('When only the proxy of the cluster changes, it should be told as a change of config', () => {
    const before = poolRollout(facts());
    const pool = aPool({}, { annotations: completed(before) }, running);
    const cluster = aHostedCluster({ configuration: { proxy: { httpProxy: 'http://proxy:3128' } } });
    const rollout = poolRollout(facts({ pool, cluster }));
    const [updatingConfig, updatingVersion] = updatingVerdicts({ pool, rollout, machineSet: undefined });
    expect([updatingConfig?.status, updatingVersion?.status]).toEqual(['True', 'False']);
  });
});
