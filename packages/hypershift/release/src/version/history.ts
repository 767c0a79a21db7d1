import { keepMostTelling } from './history-pruning.ts';

export interface UpdateHistoryEntry {
  readonly state: 'Completed' | 'Partial';
  readonly startedTime: string;
  readonly completionTime?: string;
  readonly version: string;
  readonly image: string;
}

/** `status.controlPlaneVersion`: which release the control plane is on, newest entry first. */
export interface ControlPlaneVersionStatus {
  readonly desired: { readonly version: string; readonly image: string };
  readonly history: readonly UpdateHistoryEntry[];
  readonly observedGeneration?: number;
}

export interface ControlPlaneVersionFacts {
  readonly existing?: ControlPlaneVersionStatus | undefined;
  readonly version: string;
  /** By digest, so that a moved tag shows as a new entry. */
  readonly image: string;
  /** RFC 3339. */
  readonly now: string;
  readonly generation: number;
  /** One per ControlPlaneComponent; undefined when they could not be listed. */
  readonly components:
    | readonly { readonly version?: string | undefined; readonly rolloutComplete: boolean }[]
    | undefined;
}

/**
 * The next `status.controlPlaneVersion`. A new target closes the newest entry and puts a Partial one before it; that
 * completes when every component is at the version and rolled out. Returns `existing` itself when nothing changed.
 */
export function nextControlPlaneVersion(facts: ControlPlaneVersionFacts): ControlPlaneVersionStatus {
  const { existing, version, image, now, generation, components } = facts;
  const desired = { version, image };
  const fresh: UpdateHistoryEntry = { state: 'Partial', startedTime: now, version, image };
  // Without the components this generation was not really looked at.
  const observed =
    components === undefined
      ? existing?.observedGeneration === undefined
        ? {}
        : { observedGeneration: existing.observedGeneration }
      : { observedGeneration: generation };
  if (!existing?.desired.image) return { desired, history: [fresh], ...observed };

  const [newest, ...older] = existing.history;
  const merged = newest && mergeEqual(newest, desired);
  if (!merged) {
    const closed = newest ? [newest.completionTime ? newest : { ...newest, completionTime: now }, ...older] : [];
    return { desired, history: keepMostTelling([fresh, ...closed]), ...observed };
  }
  const completed = merged.state === 'Partial' && components !== undefined && allAt(components, version);
  const first: UpdateHistoryEntry = completed ? { ...merged, state: 'Completed', completionTime: now } : merged;
  const unchanged =
    first === newest &&
    existing.desired.version === version &&
    existing.desired.image === image &&
    existing.observedGeneration === observed.observedGeneration;
  return unchanged ? existing : { desired, history: keepMostTelling([first, ...older]), ...observed };
}

/** The entry when it stands for the desired release, completed with what it lacked; undefined when it is another one. */
function mergeEqual(
  entry: UpdateHistoryEntry,
  desired: { readonly version: string; readonly image: string },
): UpdateHistoryEntry | undefined {
  const sameImage = desired.image !== '' && desired.image === entry.image;
  const sameVersion = desired.version !== '' && desired.version === entry.version;
  if (sameImage && desired.version === '') return entry;
  if (sameImage && sameVersion) return entry;
  if (sameImage && entry.version === '') return { ...entry, version: desired.version };
  if (sameVersion && entry.image === '') return { ...entry, image: desired.image };
  return undefined;
}

function allAt(components: NonNullable<ControlPlaneVersionFacts['components']>, version: string): boolean {
  return components.length > 0 && components.every((one) => one.version === version && one.rolloutComplete);
}

/** `status.version` before the hosted cluster reported one of its own. */
export function initialClusterVersion(image: string, now: string, generation: number) {
  return {
    desired: { image, version: '' },
    history: [{ state: 'Partial', image, startedTime: now, completionTime: null, verified: false }],
    observedGeneration: generation,
    availableUpdates: null,
  } as const;
}
