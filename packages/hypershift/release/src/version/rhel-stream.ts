import { ReleaseError } from '../errors.ts';
import { formatVersion, type Version } from './version.ts';

export const rhel9Stream = 'rhel-9';
export const rhel10Stream = 'rhel-10';
export type RhelStream = typeof rhel9Stream | typeof rhel10Stream;

export interface RhelStreamFacts {
  readonly releaseVersion: Version;
  /** `spec.osImageStream.name` of the NodePool. */
  readonly specStream?: string | undefined;
  /** `status.osImageStream.name`: what its nodes run. Kept, so that an upgrade does not change the OS by itself. */
  readonly statusStream?: string | undefined;
  /** Feature gate OSStreams. */
  readonly osStreamsEnabled: boolean;
  /** Whether a ContainerRuntimeConfig of the pool asks for runc, which RHEL 10 does not ship. */
  readonly usesRunc: boolean;
}

/** Which RHEL CoreOS stream a NodePool boots from. */
export function rhelStreamFor(facts: RhelStreamFacts): RhelStream {
  const { specStream, statusStream, releaseVersion, usesRunc } = facts;
  const refuse = (message: string, fix: string) =>
    new ReleaseError('OS_STREAM_INVALID', { message, fix, field: 'spec.osImageStream.name' });
  if (!specStream) {
    if (statusStream) return statusStream as RhelStream;
    return facts.osStreamsEnabled ? defaultRhelStream(releaseVersion, usesRunc) : rhel9Stream;
  }
  if (specStream === rhel9Stream) return rhel9Stream;
  if (specStream !== rhel10Stream)
    throw refuse(
      `unknown RHEL stream ${JSON.stringify(specStream)}; valid values are "${rhel9Stream}" and "${rhel10Stream}"`,
      `set spec.osImageStream.name to ${rhel9Stream} or ${rhel10Stream}`,
    );
  if (releaseVersion.major < 5)
    throw refuse(
      `stream "${rhel10Stream}" requires OCP >= 5.0, but release version is ${formatVersion(releaseVersion)}`,
      `use ${rhel9Stream}, or a release of 5.0 or newer`,
    );
  if (usesRunc)
    throw refuse(
      `stream "${rhel10Stream}" is incompatible with runc: RHEL 10 does not ship runc`,
      `use ${rhel9Stream}, or remove defaultRuntime: runc from the ContainerRuntimeConfig`,
    );
  return rhel10Stream;
}

/** What a release uses when nobody chose: RHEL 10 since 5.0. */
export function defaultRhelStream(releaseVersion: Version, usesRunc: boolean): RhelStream {
  return releaseVersion.major >= 5 && !usesRunc ? rhel10Stream : rhel9Stream;
}
