import type { RolloutInputs } from './rollout-hash.ts';
import { configHash, rolloutHash } from './rollout-hash.ts';

/**
 * One way of turning a user's intent into rollout inputs. The text a format generates (the API server proxy, layout of
 * documents) never changes once released; a new build that generates other text adds a new format.
 */
export interface RolloutFormat<Intent> {
  readonly id: string;
  inputs(intent: Intent): RolloutInputs;
}

export interface RolloutTarget {
  readonly format: string;
  readonly inputs: RolloutInputs;
  readonly hash: string;
  readonly configHash: string;
}

/**
 * What a pool should run. Nodes move to the newest format only together with a change that the user made: while some
 * format still gives a hash that the pool runs (or is rolling to), that format stays. So a new operator build by itself
 * never replaces a node.
 *
 * @param formats newest first
 * @param pinned hashes in use: `nodePoolCurrentConfigVersion` and the target of a rollout under way
 */
export function rolloutTarget<Intent>(
  formats: readonly RolloutFormat<Intent>[],
  intent: Intent,
  pinned: readonly (string | undefined)[],
): RolloutTarget {
  let newest: RolloutTarget | undefined;
  for (const format of formats) {
    const inputs = format.inputs(intent);
    const target = { format: format.id, inputs, hash: rolloutHash(inputs), configHash: configHash(inputs) };
    if (pinned.includes(target.hash)) return target;
    newest ??= target;
  }
  if (!newest) throw new Error('there is no rollout format');
  return newest;
}

/** Which inputs differ, for the message of a rollout: the hash alone does not tell a user why nodes roll. */
export function changedInputs(before: RolloutInputs, after: RolloutInputs): readonly (keyof RolloutInputs)[] {
  return (Object.keys(after) as (keyof RolloutInputs)[]).filter((name) => before[name] !== after[name]);
}
