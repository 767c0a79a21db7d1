import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';

export type Level = 'privileged' | 'baseline' | 'restricted';
type Mode = 'enforce' | 'audit' | 'warn';

export interface LevelVersion {
  readonly level: Level;
  /** `latest` or `v1.30`. */
  readonly version: string;
}

export type NamespaceLevels = Readonly<Record<Mode, LevelVersion>>;

const prefix = 'pod-security.kubernetes.io/';
const levels: readonly string[] = ['privileged', 'baseline', 'restricted'];
const modes: readonly Mode[] = ['enforce', 'audit', 'warn'];
const unrestricted: LevelVersion = { level: 'privileged', version: 'latest' };

type Labels = Readonly<Record<string, string>> | undefined;

/** True when no label asks anything of the namespace's pods. */
export function isUnrestricted(labels: Labels): boolean {
  return modes.every((mode) => (labels?.[prefix + mode] ?? 'privileged') === 'privileged');
}

/** What the labels of a namespace ask for. A level nobody knows counts as the strictest, a bad version as the latest. */
export function levelsOf(labels: Labels): NamespaceLevels {
  const one = (mode: Mode): LevelVersion => {
    const level = labels?.[prefix + mode];
    if (level === undefined) return unrestricted;
    const version = labels?.[`${prefix}${mode}-version`] ?? 'latest';
    return {
      level: levels.includes(level) ? (level as Level) : 'restricted',
      version: isVersion(version) ? version : 'latest',
    };
  };
  return { enforce: one('enforce'), audit: one('audit'), warn: one('warn') };
}

/** What is wrong with the labels of a namespace. */
export function labelErrors(labels: Labels): FieldError[] {
  const errors: FieldError[] = [];
  for (const mode of modes) {
    const level = labels?.[prefix + mode];
    if (level !== undefined && !levels.includes(level))
      errors.push(
        fieldError.invalid(`metadata.labels[${prefix}${mode}]`, level, `must be one of ${levels.join(', ')}`),
      );
    const version = labels?.[`${prefix}${mode}-version`];
    if (version !== undefined && !isVersion(version))
      errors.push(
        fieldError.invalid(`metadata.labels[${prefix}${mode}-version]`, version, 'must be "latest" or "v1.x"'),
      );
  }
  return errors;
}

export function formatLevel({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

function isVersion(version: string): boolean {
  return version === 'latest' || /^v1\.(0|[1-9][0-9]{0,4})$/.test(version);
}
