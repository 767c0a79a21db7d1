import type { Draft } from '../../kinds/behaviour.ts';
import { baselineChecks } from './baseline.ts';
import { type Check, podView, type Violation } from './check.ts';
import type { LevelVersion } from './levels.ts';
import { restrictedChecks } from './restricted.ts';

const known = new Map<string, readonly Check[]>();

/** The checks of a level as of a version; a stricter check replaces its baseline one only where it exists. */
function checksOf({ level, version }: LevelVersion): readonly Check[] {
  if (level === 'privileged') return [];
  const key = `${level}:${version}`;
  let checks = known.get(key);
  if (!checks) {
    const minor = version === 'latest' ? Number.POSITIVE_INFINITY : Number(version.slice('v1.'.length));
    const exists = ({ since = 0 }: Check): boolean => since <= minor;
    const stricter = level === 'restricted' ? restrictedChecks.filter(exists) : [];
    const replaced = new Set(stricter.flatMap(({ overrides = [] }) => overrides));
    checks = [...baselineChecks.filter((check) => exists(check) && !replaced.has(check.id)), ...stricter];
    // Labels come from users: any number of versions must not pile up here.
    if (known.size < 200) known.set(key, checks);
  }
  return checks;
}

/** What of a pod breaks a level; nothing when it meets it. */
export function violationsIn(level: LevelVersion, metadata: Draft | undefined, spec: Draft): readonly Violation[] {
  const list = checksOf(level);
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
export function violationsOf(level: LevelVersion, metadata: Draft | undefined, spec: Draft): string | undefined {
  const found = violationsIn(level, metadata, spec);
  return found.length === 0 ? undefined : found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
