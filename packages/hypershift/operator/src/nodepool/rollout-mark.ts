/** How a pool remembers which of the user's decisions its nodes run. */
import type { NodePool } from '@hypershift-ts/hypershift-api';
import { userIntentVersion } from '@hypershift-ts/hypershift-ignition';

/**
 * Ours: `<version>:<intent>=<hash>`, meaning that nodes which run the hash, or are on their way to it, run that intent.
 * The version says how the intent was read. With it a build can tell a change by a user, which rolls nodes, from a hash
 * that only comes out another way here, which does not.
 */
export const rolloutMark = 'hypershift-ts.io/rollout';

export interface RolloutMark {
  readonly version: string;
  readonly intent: string;
  readonly hash: string;
}

/** Before there were versions, the intent was the computed hash; nodes ran under it, or under another after `=`. */
export const hashAsIntent = '0';

export function markOf({ metadata }: NodePool): RolloutMark | undefined {
  const [, version = hashAsIntent, intent, hash] =
    /^(?:([^:=]+):)?([^:=]+)(?:=([^:=]+))?$/.exec(metadata.annotations?.[rolloutMark] ?? '') ?? [];
  return intent === undefined ? undefined : { version, intent, hash: hash ?? intent };
}

export const markText = (intent: string, hash: string): string => `${userIntentVersion}:${intent}=${hash}`;
