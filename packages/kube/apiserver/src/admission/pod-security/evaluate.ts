import type { Draft } from '../../kinds/behaviour.ts';
import { baselineChecks } from './baseline.ts';
import { type Check, podView, type Violation } from './check.ts';
import type { Level } from './levels.ts';
import { restrictedChecks } from './restricted.ts';

const overridden = new Set(restrictedChecks.flatMap(({ overrides = [] }) => overrides));

const checks: Readonly<Record<Level, readonly Check[]>> = {
  privileged: [],
  baseline: baselineChecks,
  restricted: [...baselineChecks.filter(({ id }) => !overridden.has(id)), ...restrictedChecks],
};

/** What of a pod breaks a level; nothing when it meets it. */
export function violationsIn(level: Level, metadata: Draft | undefined, spec: Draft): readonly Violation[] {
  const list = checks[level];
  if (list.length === 0) return [];
  const pod = podView(metadata, spec);
  const found: Violation[] = [];
  for (const check of list) {
    const broken = check.run(pod);
    if (broken) found.push(broken);
  }
  return found;
}

/** The same as one text; undefined when the pod meets the level. */
export function violationsOf(level: Level, metadata: Draft | undefined, spec: Draft): string | undefined {
  const found = violationsIn(level, metadata, spec);
  return found.length === 0 ? undefined : found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
