/**
 * Releases this project carries with it, so that clusters can be created and upgraded without any registry. They have
 * the shape of real releases, but their images exist only for the embedded kubelet: nothing can pull them.
 */
export interface EmbeddedRelease {
  readonly version: string;
  readonly kubernetes: string;
  /** CoreOS builds by RHEL stream; releases before 5.0 have one. */
  readonly coreos: Readonly<Record<string, string>>;
  /** Components left out on purpose; for tests of incomplete payloads. */
  readonly without?: readonly string[];
}

export const embeddedReleases: readonly EmbeddedRelease[] = [
  { version: '4.18.20', kubernetes: '1.31.10', coreos: { 'rhel-9': '418.94.202507091512-0' } },
  { version: '4.18.27', kubernetes: '1.31.13', coreos: { 'rhel-9': '418.94.202510230424-0' } },
  { version: '4.19.10', kubernetes: '1.32.7', coreos: { 'rhel-9': '9.6.20250826-1' } },
  { version: '4.19.18', kubernetes: '1.32.9', coreos: { 'rhel-9': '9.6.20251023-0' } },
  { version: '4.20.3', kubernetes: '1.33.5', coreos: { 'rhel-9': '9.6.20251105-0' } },
  { version: '4.20.8', kubernetes: '1.33.6', coreos: { 'rhel-9': '9.6.20251212-1' } },
  { version: '4.21.1', kubernetes: '1.34.2', coreos: { 'rhel-9': '9.6.20260203-0' } },
  { version: '4.21.6', kubernetes: '1.34.4', coreos: { 'rhel-9': '9.6.20260316-0' } },
  { version: '4.22.0', kubernetes: '1.35.2', coreos: { 'rhel-9': '9.8.20260512-0' } },
  { version: '4.22.3', kubernetes: '1.35.4', coreos: { 'rhel-9': '9.8.20260701-0' } },
  { version: '5.0.0', kubernetes: '1.36.1', coreos: { 'rhel-9': '9.8.20260814-0', 'rhel-10': '10.2.20260814-0' } },
  { version: '5.0.2', kubernetes: '1.36.2', coreos: { 'rhel-9': '9.8.20260925-0', 'rhel-10': '10.2.20260925-0' } },
];
