import { describe, expect, it } from 'vitest';
import { readConfiguration, roleOf } from './configuration.ts';
import { type EncryptionStatus, providerName, wantedKey } from './keys.ts';
import { nextRotation, type RotationFacts } from './rotation.ts';

const keyA = Buffer.alloc(32, 1);
const keyB = Buffer.alloc(32, 2);
const spec = (name: string) => ({ type: 'aescbc' as const, aescbc: { activeKey: { name } } });
const a = wantedKey(spec('a'), keyA)!;
const b = wantedKey(spec('b'), keyB)!;
const facts: RotationFacts = {
  status: { activeKey: a },
  wanted: b,
  vaultType: undefined,
  role: 'absent',
  converged: false,
  nowMs: Date.UTC(2026, 0, 1),
};

describe('nextRotation', () => {
  it('When nothing is recorded yet, it should take the key as the active one', () => {
    const step = nextRotation({ ...facts, status: undefined });
    expect(step.status).toEqual({ activeKey: b });
    expect(step.condition).toMatchObject({ status: 'True', reason: 'ReEncryptionCompleted' });
  });

  it('When the key is the active one, it should do nothing', () => {
    expect(nextRotation({ ...facts, wanted: a })).toEqual({ status: facts.status });
  });

  it('When another key is asked for, it should walk through every phase and end with it', () => {
    const started = nextRotation(facts);
    const reasons = [started.condition?.reason];
    let status: EncryptionStatus | undefined = started.status;
    const phases = [
      { role: 'absent', converged: true },
      { role: 'read', converged: false },
      { role: 'read', converged: true },
      { role: 'write', converged: false },
      { role: 'write', converged: true },
      { role: 'write', converged: true, rewritten: new Error('secrets x: no') },
      { role: 'write', converged: true, rewritten: 'done' },
    ] as const;
    for (const phase of phases) {
      const step = nextRotation({ ...facts, ...phase, status });
      reasons.push(step.condition?.reason);
      status = step.status;
    }
    expect(reasons).toEqual([
      'ReadOnlyRolloutInProgress',
      'ReadOnlyRolloutInProgress',
      'ReEncryptionWaitingForKASConvergence',
      'WritePromotionInProgress',
      'ReEncryptionWaitingForKASConvergence',
      'ReEncryptionInProgress',
      'ReEncryptionFailed',
      'ReEncryptionCompleted',
    ]);
    expect(status).toMatchObject({
      activeKey: b,
      history: [{ state: 'Completed', completionTime: '2026-01-01T00:00:00Z' }],
    });
    expect(status?.targetKey).toBeUndefined();
  });

  it('When rotations go on and on, it should remember five', () => {
    const entry = nextRotation(facts).status!.history![0]!;
    const step = nextRotation({ ...facts, status: { activeKey: a, history: Array.from({ length: 5 }, () => entry) } });
    expect(step.status?.history).toHaveLength(5);
  });
});

describe('readConfiguration', () => {
  const text = `kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aescbc:
      keys:
      - {name: ${providerName(a, keyA, undefined)}, secret: x}
      - {name: ${providerName(b, keyB, undefined)}, secret: y}
  - identity: {}
`;

  it('When keys are listed, the first should write and the others read', () => {
    const configuration = readConfiguration(text);
    expect(configuration?.resources).toEqual(['secrets']);
    expect(roleOf(configuration, providerName(a, keyA, undefined))).toBe('write');
    expect(roleOf(configuration, providerName(b, keyB, undefined))).toBe('read');
    expect(roleOf(configuration, 'key-1')).toBe('absent');
  });
});
