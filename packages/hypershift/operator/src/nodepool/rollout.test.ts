import type { ReleaseImage } from '@hypershift-ts/hypershift-release';
import { describe, expect, it } from 'vitest';
import { completed, poolRollout, type RolloutFacts, updatingVerdicts } from './rollout.ts';
import { rolloutMark } from './rollout-mark.ts';
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

const mirrors = {
  name: 'mirrors',
  data: {
    config:
      'apiVersion: config.openshift.io/v1\nkind: ImageDigestMirrorSet\nmetadata:\n  name: cluster\nspec:\n  imageDigestMirrors: []\n',
  },
};

describe('poolRollout', () => {
  it('When a pool is new, it should run what was computed and remember it', () => {
    const rollout = poolRollout(facts());
    expect(rollout.isInUse).toBe(false);
    expect(rollout.mark).toMatch(new RegExp(`^1:[0-9a-f]{16}=${rollout.hash}$`));
    expect(completed(rollout)).toEqual({
      [config]: rollout.configHash,
      [current]: rollout.hash,
      [rolloutMark]: rollout.mark,
    });
  });

  it('When another operator computed the hash of a settled pool, its nodes should stay as they are', () => {
    const taken = aPool({}, { annotations: { [current]: 'aaaa1111', [config]: 'bbbb2222' } }, running);
    const rollout = poolRollout(facts({ pool: taken }));
    expect(rollout).toMatchObject({ hash: 'aaaa1111', configHash: 'bbbb2222', isInUse: true });
    for (const verdict of updatingVerdicts({ pool: taken, rollout, machineSet: undefined }))
      expect(verdict.status).toBe('False');
    const marked = aPool(
      {},
      { annotations: { [current]: 'aaaa1111', [config]: 'bbbb2222', [rolloutMark]: rollout.mark } },
      running,
    );
    expect(poolRollout(facts({ pool: marked }))).toEqual(rollout);
    const changed = poolRollout(facts({ pool: marked, user: [motd('hello')] }));
    expect(changed.isInUse).toBe(false);
    expect(changed.hash).not.toBe('aaaa1111');
  });

  it('When such a pool is on its way to another release, it should go there', () => {
    const moving = aPool({}, { annotations: { [current]: 'aaaa1111' } }, { version: '4.20.1' });
    expect(poolRollout(facts({ pool: moving })).isInUse).toBe(false);
  });

  it('When a pool of ours is changed, it should roll, whatever it ran', () => {
    const { hash } = poolRollout(facts());
    const pool = aPool({}, { annotations: { [current]: hash, [rolloutMark]: hash } }, running);
    const changed = poolRollout(facts({ pool, user: [motd('hello')] }));
    expect(changed).toMatchObject({ isInUse: false });
    expect(changed.hash).not.toBe(hash);
  });

  describe('of another build', () => {
    const proxied = aHostedCluster({ configuration: { proxy: { httpsProxy: 'http://proxy:3128' } } });
    const before = poolRollout(facts({ cluster: proxied }));
    const annotated = aPool({}, { annotations: completed(before) }, running);
    const another = { ...release, components: new Map([['haproxy-router', 'haproxy:2']]) };

    it('When it writes other text or images for the same intent, nodes should stay and the mark too', () => {
      const after = poolRollout(facts({ pool: annotated, cluster: proxied, release: another }));
      expect(after).toMatchObject({ hash: before.hash, configHash: before.configHash, mark: before.mark });
      expect(after.isInUse).toBe(true);
      for (const verdict of updatingVerdicts({ pool: annotated, rollout: after, machineSet: undefined }))
        expect(verdict.status).toBe('False');
      const rolled = poolRollout(facts({ pool: annotated, release: another }));
      expect([rolled.isInUse, rolled.hash === before.hash]).toEqual([false, false]);
    });

    it('When it comes in the middle of a rollout, that rollout should be finished', () => {
      const next = poolRollout(facts({ pool: annotated, cluster: proxied, user: [motd('hello')] }));
      const annotations = { ...completed(before), [rolloutMark]: next.mark };
      const spec = { template: { spec: { bootstrap: { dataSecretName: `user-data-workers-${next.hash}` } } } };
      const own = { cluster: proxied, user: [motd('hello')], machineDeployment: { spec } as never };
      const after = poolRollout(facts({ ...own, pool: aPool({}, { annotations }, running), release: another }));
      expect(after).toMatchObject({ hash: next.hash, isInUse: true, mark: next.mark });
      expect(after.configHash).not.toBe(before.configHash);
    });

    it.each([
      ['reads intents in a way unknown here', `99:cafe=${before.hash}`, true],
      ['was the first', before.hash, false],
    ])('When the build that made a settled pool %s, a hash that only differs should be judged', (_, mark, stays) => {
      const pool = aPool({}, { annotations: { ...completed(before), [rolloutMark]: mark } }, running);
      expect(poolRollout(facts({ pool, cluster: proxied })).hash).toBe(before.hash);
      const after = poolRollout(facts({ pool, cluster: proxied, release: another }));
      expect(after.isInUse).toBe(stays);
    });
  });

  it.each<readonly [string, Partial<RolloutFacts>, boolean]>([
    ['the name of the pull secret', { cluster: aHostedCluster({ pullSecret: { name: 'other' } }) }, true],
    ['the trust bundle', { cluster: aHostedCluster({ additionalTrustBundle: { name: 'trusted' } }) }, true],
    ['the proxy', { cluster: aHostedCluster({ configuration: { proxy: { httpProxy: 'http://p:1' } } }) }, true],
    [
      'registries',
      { cluster: aHostedCluster({ configuration: { image: { registrySources: { insecureRegistries: ['r'] } } } }) },
      true,
    ],
    ['a core config', { core: [{ name: 'fips' }, { ...motd('key'), name: 'ssh' }] }, true],
    [
      'image mirrors',
      {
        cluster: aHostedCluster({ imageContentSources: [{ source: 'a', mirrors: ['b'] }] }),
        core: [{ name: 'fips' }, { name: 'ssh' }, mirrors],
      },
      true,
    ],
    ['the address of the API server', { kubeconfigServer: 'https://other.example.com:6443' }, true],
    ['a config of the user', { user: [motd('hello')] }, true],
    ['sign-in', { cluster: aHostedCluster({ configuration: { oauth: { templates: {} } } }) }, false],
    ['replicas', { pool: aPool({ replicas: 9 }) }, false],
    ['labels and taints', { pool: aPool({ nodeLabels: { a: 'b' }, taints: [{ key: 'k' }] }) }, false],
  ])('When %s changes, nodes should be replaced or not, as upstream does', (_, change, rolls) => {
    const before = poolRollout(facts());
    const { spec } = change.pool ?? aPool();
    const pool = aPool(spec, { annotations: completed(before) }, running);
    const after = poolRollout(facts({ ...change, pool }));
    expect({ rolls: !after.isInUse, isOther: after.hash !== before.hash }).toEqual({ rolls, isOther: rolls });
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
