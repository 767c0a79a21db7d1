import type { FieldError, Schema, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column, Draft, KindBehaviour, WriteScope } from '../kinds/behaviour.ts';

/** The outcome of validation: errors refuse the write, warnings travel in headers. */
export interface Verdict {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/**
 * How one version of one resource behaves, the same shape for built-in kinds and custom resources, so that the
 * request path has no branches between the two.
 */
export interface ResourceLogic {
  readonly schema: Schema;
  /**
   * Makes a decoded body an object of this kind, in place: drops unknown fields (returning their paths),
   * removes nulls, and throws 400 when a field has the wrong JSON type (built-in kinds).
   */
  readonly normalise: (draft: Draft) => readonly string[];
  /** Adds and drops the zero values that Kubernetes' Go types add and drop (built-in kinds). */
  readonly complete?: (draft: Draft) => void;
  readonly defaults: (draft: Draft) => void;
  readonly prepareForCreate: (draft: Draft, scope: WriteScope) => void;
  readonly prepareForUpdate: (draft: Draft, old: UnstructuredObject, scope: WriteScope) => void;
  readonly prepareForStatus: (draft: Draft, old: UnstructuredObject, scope: WriteScope) => void;
  readonly validateCreate: (object: UnstructuredObject) => Verdict;
  readonly validateUpdate: (object: UnstructuredObject, old: UnstructuredObject) => Verdict;
  readonly validateStatus: (object: UnstructuredObject, old: UnstructuredObject) => Verdict;
  readonly hasStatus: boolean;
  /** Nodes register with their status in the same request. */
  readonly keepsStatusOnCreate?: boolean;
  /** Metadata that may be written together with the status. */
  readonly statusTakes?: readonly ('labels' | 'annotations')[];
  readonly tracksGeneration: boolean;
  readonly scale?: ScalePaths;
  readonly nameRule: NonNullable<KindBehaviour['nameRule']>;
  readonly unconditionalUpdate: boolean;
  readonly createOnUpdate: boolean;
  readonly gracePeriod?: KindBehaviour['gracePeriod'];
  readonly selectableFields: Readonly<Record<string, (object: UnstructuredObject) => string>>;
  readonly columns: readonly Column[];
  readonly cells: (object: UnstructuredObject, now: number) => readonly unknown[];
}

/** Where the scale subresource finds its numbers. Paths without the leading dot: `spec.replicas`. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly selector?: string;
}

/** One subresource as discovery describes it. */
interface SubresourceInfo {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** One version of one resource, served by a server. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceInfo[];
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly custom: boolean;
  /** A text for a Warning header on every use of a deprecated version. */
  readonly deprecationWarning?: string;
  /** Objects may be kept under another version (or group, for Events) than they are served in. */
  readonly storage: {
    readonly prefix: string;
    readonly apiVersion: string;
    /** Present when stored and served forms differ beyond nothing at all. Pure; never edits its input. May be asynchronous (webhook). */
    readonly fromStorage?: (
      objects: readonly UnstructuredObject[],
    ) => UnstructuredObject[] | Promise<UnstructuredObject[]>;
    readonly toStorage?: (
      objects: readonly UnstructuredObject[],
    ) => UnstructuredObject[] | Promise<UnstructuredObject[]>;
  };
  readonly logic: ResourceLogic;
}
