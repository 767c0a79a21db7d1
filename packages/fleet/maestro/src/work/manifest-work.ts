import type { Condition, KubeObject, ObjectMeta, ResourceType } from '@hypershift-ts/kube-apimachinery';

/** Any Kubernetes object, as a work carries it to its cluster. */
export type Manifest = KubeObject & { readonly [field: string]: unknown };

/** Objects that one cluster is to have, and what came of it. */
export interface ManifestWork extends KubeObject {
  readonly spec: ManifestWorkSpec;
  readonly status?: ManifestWorkStatus;
}

export interface ManifestWorkSpec {
  readonly workload: { readonly manifests?: readonly Manifest[] };
  readonly deleteOption?: DeleteOption;
  readonly manifestConfigs?: readonly ManifestConfig[];
  /** The identity the objects are applied with. */
  readonly executor?: {
    readonly subject: {
      readonly type: 'ServiceAccount';
      readonly serviceAccount?: { readonly namespace: string; readonly name: string };
    };
  };
}

export interface DeleteOption {
  readonly propagationPolicy?: 'Foreground' | 'Orphan' | 'SelectivelyOrphan';
  readonly selectivelyOrphans?: { readonly orphaningRules?: readonly ResourceIdentifier[] };
  readonly ttlSecondsAfterFinished?: number;
}

/** Names objects of the workload; name and namespace of a config may contain `*`. */
export interface ResourceIdentifier {
  readonly group?: string;
  /** The plural. */
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface ManifestConfig {
  readonly resourceIdentifier: ResourceIdentifier;
  readonly feedbackRules?: readonly FeedbackRule[];
  readonly updateStrategy?: UpdateStrategy;
  readonly conditionRules?: readonly ConditionRule[];
  readonly feedbackScrapeType?: 'Poll' | 'Watch';
}

export interface FeedbackRule {
  readonly type: 'WellKnownStatus' | 'JSONPaths';
  readonly jsonPaths?: readonly { readonly name: string; readonly version?: string; readonly path: string }[];
}

export interface UpdateStrategy {
  readonly type: 'Update' | 'CreateOnly' | 'ServerSideApply' | 'ReadOnly';
  readonly serverSideApply?: {
    readonly force?: boolean;
    readonly fieldManager?: string;
    readonly ignoreFields?: readonly IgnoreFields[];
  };
}

export interface IgnoreFields {
  readonly condition?: 'OnSpokePresent' | 'OnSpokeChange';
  readonly jsonPaths?: readonly string[];
  readonly jsonPointers?: readonly string[];
  readonly jqPathExpressions?: readonly string[];
}

export interface ConditionRule {
  readonly condition: string;
  readonly type: 'CEL' | 'WellKnownConditions';
  readonly celExpressions?: readonly string[];
  readonly message?: string;
  readonly messageExpression?: string;
}

export interface ManifestWorkStatus {
  readonly conditions?: readonly Condition[];
  readonly resourceStatus?: { readonly manifests?: readonly ManifestCondition[] };
}

/** How one object of the workload is. */
export interface ManifestCondition {
  readonly resourceMeta: ManifestResourceMeta;
  readonly statusFeedback?: { readonly values?: readonly FeedbackValue[] };
  readonly conditions?: readonly Condition[];
}

export interface ManifestResourceMeta {
  /** Its place in the workload. */
  readonly ordinal: number;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace: string;
}

export interface FeedbackValue {
  readonly name: string;
  readonly fieldValue: FieldValue;
}

export type FieldValue =
  | { readonly type: 'Integer'; readonly integer: number }
  | { readonly type: 'String'; readonly string: string }
  | { readonly type: 'Boolean'; readonly boolean: boolean }
  | { readonly type: 'JsonRaw'; readonly jsonRaw: string };

/** What an agent keeps on its cluster about a work: the owner of all that the work applied. */
export interface AppliedManifestWork extends KubeObject {
  readonly spec: { readonly hubHash: string; readonly agentID: string; readonly manifestWorkName: string };
  readonly status?: {
    readonly appliedResources?: readonly AppliedResource[];
    readonly evictionStartTime?: string;
  };
}

export interface AppliedResource {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace: string;
  readonly version: string;
  readonly uid: string;
}

export type WorkMeta = ObjectMeta;

export const appliedManifestWorks: ResourceType<AppliedManifestWork> = {
  group: 'work.open-cluster-management.io',
  version: 'v1',
  resource: 'appliedmanifestworks',
  kind: 'AppliedManifestWork',
  namespaced: false,
};
