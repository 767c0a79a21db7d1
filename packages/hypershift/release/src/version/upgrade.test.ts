import { describe, expect, it } from 'vitest';
import {
  type ControlPlaneVersionStatus,
  initialClusterVersion,
  nextControlPlaneVersion,
  type UpdateHistoryEntry,
} from './history.ts';
import { keepMostTelling } from './history-pruning.ts';
import { judgeUpgrade, type UpgradeFacts } from './upgrade-gate.ts';

const at = { image: 'r:4.20.3', version: '4.20.3' };
const force = (image: string) => ({ 'hypershift.openshift.io/force-upgrade-to': image });
const notUpgradeable = { status: 'False', reason: 'AdminAck', message: 'ack needed' };

describe('judgeUpgrade', () => {
  it('When the cluster installs or is there already, it should see no upgrade', () => {
    expect(judgeUpgrade({ desiredImage: 'r:4.20.3', desiredVersion: '4.20.3' })).toEqual({ upgrading: false });
    expect(judgeUpgrade({ current: at, desiredImage: 'r:4.20.3', desiredVersion: '4.20.3' })).toEqual({
      upgrading: false,
    });
  });

  // Upgradeable {absent, True, False} x {z, y, skip} x {force equal, force different, controlPlaneRelease}.
  const allowed = 'allowed';
  const matrix: [upgradeable: string | undefined, target: string, by: string, outcome: string][] = [
    [undefined, '4.20.8', '', allowed],
    [undefined, '4.21.1', '', allowed],
    ['True', '4.20.8', '', allowed],
    ['True', '4.21.1', '', allowed],
    ['True', '4.21.1', 'other', allowed],
    ['False', '4.20.8', '', allowed],
    ['False', '4.20.1', '', allowed],
    ['False', '4.21.1', '', 'cluster version is not upgradeable'],
    ['Unknown', '4.21.1', '', 'cluster version is not upgradeable'],
    ['False', '4.21.1', 'same', 'upgrade is forced by annotation'],
    ['False', '4.20.8', 'other', 'force upgrade annotation is present but does not match desired release image'],
    ['False', '4.21.1', 'cpr', 'upgrade is forced by ControlPlaneRelease being set'],
    [
      undefined,
      '4.22.0',
      '',
      'upgrade from "4.20.3" to "4.22.0" skips 4.21; only one minor version at a time is supported',
    ],
    [
      'True',
      '5.1.0',
      '',
      'upgrade from "4.20.3" to "5.1.0" skips 4.21 to 5.0; only one minor version at a time is supported',
    ],
    [
      'True',
      '4.22.0',
      'cpr',
      'upgrade from "4.20.3" to "4.22.0" skips 4.21; only one minor version at a time is supported',
    ],
    ['True', '4.22.0', 'same', allowed],
    ['False', '4.22.0', 'same', 'upgrade is forced by annotation'],
    ['True', '4.22.0', 'skip', allowed],
  ];
  it.each(matrix)(
    'When Upgradeable is %s and the target %s (%s), it should answer: %s',
    (status, version, by, outcome) => {
      const image = `r:${version}`;
      const annotations: Record<string, string> =
        by === 'same'
          ? force(image)
          : by === 'other'
            ? force('r:other')
            : by === 'skip'
              ? { 'hypershift.openshift.io/skip-release-image-validation': 'true' }
              : {};
      const facts: UpgradeFacts = {
        current: at,
        completedVersion: '4.20.3',
        desiredImage: image,
        desiredVersion: version,
        upgradeable: status === undefined ? undefined : { ...notUpgradeable, status },
        annotations,
        controlPlaneReleaseSet: by === 'cpr',
      };
      const decision = judgeUpgrade(facts);
      if (!decision.upgrading) throw new Error('expected an upgrade');
      expect(decision.allowed ? decision.message || allowed : decision.error.message).toBe(outcome);
    },
  );

  it('When 4.23 becomes 5.0 or 4.22 becomes 5.0, it should skip nothing', () => {
    for (const completedVersion of ['4.23.1', '4.22.3'])
      expect(
        judgeUpgrade({ current: at, completedVersion, desiredImage: 'r:5', desiredVersion: '5.0.0' }),
      ).toMatchObject({ allowed: true });
  });

  it('When the running version is not known, it should say so', () => {
    const decision = judgeUpgrade({
      current: { image: 'a' },
      desiredImage: 'b',
      desiredVersion: '4.21.1',
      upgradeable: notUpgradeable,
    });
    expect(decision).toMatchObject({ allowed: false });
    expect((decision as { error: Error }).error.message).toContain(
      'cluster is ClusterVersionUpgradeable=False (AdminAck: ack needed)',
    );
  });
});

describe('nextControlPlaneVersion', () => {
  const facts = { version: '4.20.3', image: 'r@sha256:1', now: '2026-01-01T00:00:00Z', generation: 1 };
  const rolled = [{ version: '4.20.3', rolloutComplete: true }];
  const first = nextControlPlaneVersion({ ...facts, components: [] });

  it('When nothing was there, it should begin with a partial entry', () => {
    expect(first).toEqual({
      desired: { version: '4.20.3', image: 'r@sha256:1' },
      history: [{ state: 'Partial', startedTime: facts.now, version: '4.20.3', image: 'r@sha256:1' }],
      observedGeneration: 1,
    });
  });

  it('When no component exists or one lags, it should stay partial and be the same object', () => {
    for (const components of [
      [],
      [...rolled, { version: '4.20.2', rolloutComplete: true }],
      [{ version: '4.20.3', rolloutComplete: false }],
    ])
      expect(nextControlPlaneVersion({ ...facts, existing: first, components, now: 'later' })).toBe(first);
  });

  it('When every component is there, it should complete', () => {
    const done = nextControlPlaneVersion({
      ...facts,
      existing: first,
      components: rolled,
      now: '2026-01-01T00:05:00Z',
    });
    expect(done.history).toEqual([{ ...first.history[0], state: 'Completed', completionTime: '2026-01-01T00:05:00Z' }]);
    expect(nextControlPlaneVersion({ ...facts, existing: done, components: rolled, now: 'later' })).toBe(done);
  });

  it('When the target changes, it should close the old entry and put a new one first', () => {
    const next = nextControlPlaneVersion({
      version: '4.20.8',
      image: 'r@sha256:2',
      existing: first,
      components: rolled,
      now: 'then',
      generation: 2,
    });
    expect(next.history.map(({ state, version, completionTime }) => [state, version, completionTime])).toEqual([
      ['Partial', '4.20.8', undefined],
      ['Partial', '4.20.3', 'then'],
    ]);
    expect(next.observedGeneration).toBe(2);
  });

  it('When the tag moved to another digest of the same version, it should begin a new entry', () => {
    expect(
      nextControlPlaneVersion({ ...facts, existing: first, image: 'r@sha256:9', components: rolled }).history,
    ).toHaveLength(2);
  });

  it('When components cannot be listed, it should not claim to have observed the generation', () => {
    expect(nextControlPlaneVersion({ ...facts, components: undefined })).not.toHaveProperty('observedGeneration');
    const next = nextControlPlaneVersion({
      ...facts,
      existing: first,
      version: '4.20.8',
      image: 'x',
      generation: 7,
      components: undefined,
    });
    expect(next).toMatchObject({ observedGeneration: 1, desired: { version: '4.20.8' } });
    expect(next.history).toHaveLength(2);
  });

  it('When an entry lacked its version, it should be completed instead of repeated', () => {
    const existing: ControlPlaneVersionStatus = {
      ...first,
      history: [{ ...(first.history[0] as UpdateHistoryEntry), version: '' }],
    };
    const next = nextControlPlaneVersion({ ...facts, existing, components: [] });
    expect(next.history).toEqual(first.history);
  });
});

describe('keepMostTelling', () => {
  const entry = (version: string, state: 'Completed' | 'Partial' = 'Completed') => ({ version, state });

  it('When within the limit, it should keep the same list', () => {
    const history = [entry('4.20.1')];
    expect(keepMostTelling(history)).toBe(history);
  });

  it('When over the limit, it should drop a partial z-stream attempt before anything else', () => {
    const history = [
      ...['4.20.9', '4.20.8', '4.20.7', '4.20.6', '4.20.5'].map((version) => entry(version)),
      entry('4.20.4', 'Partial'),
      entry('4.20.3'),
      entry('4.19.1'),
      entry('4.18.0'),
    ];
    expect(keepMostTelling(history, 8).map(({ version }) => version)).not.toContain('4.20.4');
  });

  it('When thousands of entries come, it should keep the newest five, the oldest and the newest completed', () => {
    let history: readonly ReturnType<typeof entry>[] = [entry('4.14.0')];
    for (let patch = 1; patch < 400; patch++) {
      history = keepMostTelling([
        entry(`4.${14 + Math.floor(patch / 50)}.${patch}`, patch > 390 ? 'Partial' : 'Completed'),
        ...history,
      ]);
      expect(history.length).toBeLessThanOrEqual(100);
    }
    expect(history.slice(0, 5).map(({ version }) => version)).toEqual([
      '4.21.399',
      '4.21.398',
      '4.21.397',
      '4.21.396',
      '4.21.395',
    ]);
    expect(history.at(-1)?.version).toBe('4.14.0');
    expect(history.find(({ state }) => state === 'Completed')?.version).toBe('4.21.390');
    expect(new Set(history.map(({ version }) => version.split('.')[1])).size).toBe(8);
  });
});

describe('initialClusterVersion', () => {
  it('When a cluster is new, it should name the image and a partial entry', () => {
    expect(initialClusterVersion('r:1', 'now', 3)).toMatchObject({
      desired: { image: 'r:1' },
      history: [{ state: 'Partial', image: 'r:1', startedTime: 'now' }],
      observedGeneration: 3,
    });
  });
});
