import type { Draft } from '../../kinds/behaviour.ts';

/** A rule a pod broke: `privileged (container "a" must not set securityContext.privileged=true)`. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** A pod's metadata and spec as the checks look at them. */
export interface PodView {
  readonly metadata: Draft;
  readonly spec: Draft;
  /** Init, regular and ephemeral containers. */
  readonly containers: readonly Draft[];
  readonly isWindows: boolean;
}

export interface Check {
  readonly id: string;
  /** The Kubernetes minor release from which on it counts; versions before do not know it. */
  readonly since?: number;
  /** Baseline checks this one is stricter than. */
  readonly overrides?: readonly string[];
  readonly run: (pod: PodView) => Violation | undefined;
}

export function podView(metadata: Draft | undefined, spec: Draft): PodView {
  return {
    metadata: metadata ?? {},
    spec,
    containers: [
      ...(spec['initContainers'] ?? []),
      ...(spec['containers'] ?? []),
      ...(spec['ephemeralContainers'] ?? []),
    ],
    isWindows: spec['os']?.name === 'windows',
  };
}

export const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

export const plural = (one: string, many: string, count: number): string => (count === 1 ? one : many);

/** `container "a"` or `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural('container', 'containers', names.length)} ${quoted(names)}`;
}

/** The names of the containers for which something is so. */
export function namesWhere({ containers }: PodView, is: (container: Draft) => boolean): string[] {
  return containers.filter(is).map(({ name }) => String(name));
}

export const securityOf = (owner: Draft): Draft => owner['securityContext'] ?? {};

/** A violation unless there is nothing to tell. */
export function violation(reason: string, details: readonly string[], separator = ', '): Violation | undefined {
  return details.length === 0 ? undefined : { reason, detail: details.join(separator) };
}

/** Details about containers, or nothing when none is concerned. */
export function about(names: readonly string[], text: string): string[] {
  return names.length === 0 ? [] : [`${containersText(names)} ${text}`];
}
