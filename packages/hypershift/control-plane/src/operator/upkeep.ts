import type { ComponentImages, ReleaseImage, ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { CloudAccounts } from '@hypershift-ts/hypershift-platforms';
import type { KeySource } from '@hypershift-ts/kube-pki';
import type { ReportPace } from '../framework/report-pace.ts';
import type { Settled } from '../framework/settled.ts';
import type { SettledComponents } from '../framework/settled-components.ts';
import type { OpenIdEndpoints } from '../framework/context.ts';
import type { NetworkChecks } from './health/network-checks.ts';
import type { RecentCauses } from './root-cause/recent-causes.ts';
import type { Outlook } from './health/outlook.ts';

/** What one operator keeps from reconcile to reconcile, so that a settled control plane costs next to nothing. */
export interface Upkeep {
  readonly releases: ReleaseProvider;
  /** Images that win over the release's, by component name. */
  readonly images: Readonly<Record<string, string>>;
  readonly keys: KeySource;
  readonly settled: SettledComponents;
  /** How often components on their way are told of. */
  readonly pace: ReportPace;
  /** How often the control plane's own progress is. */
  readonly progress: ReportPace;
  readonly causes: RecentCauses;
  /** Work of other steps, by name. */
  readonly work: Settled;
  /** The published API server, seen from outside. */
  readonly outlook: Outlook;
  readonly checks: NetworkChecks;
  /** What OpenID issuers published about themselves. */
  readonly openId: Map<string, OpenIdEndpoints>;
  readonly accounts: CloudAccounts;
  /** What the cloud added to `status.platform`, by the condition that tells of it. */
  readonly cloudStatus: Map<string, object>;
  /** Images handed out for a release; missing ones are remembered with it. */
  readonly imagesOf: WeakMap<ReleaseImage, ComponentImages>;
}
