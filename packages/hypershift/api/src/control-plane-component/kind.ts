/** One component of a control plane and how its rollout stands. */
import { condition } from '../common/conditions.ts';
import {
  defineKind,
  emptyObject,
  int64,
  list,
  object,
  resourceOf,
  string,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';

export const componentResource = object({
  kind: string({ maxLength: 255 }),
  name: string({ maxLength: 255 }),
  group: string({ maxLength: 255 }),
});

export const controlPlaneComponentStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'], maxItems: 10 }).optional(),
  observedGeneration: int64({ minimum: 1, maximum: 9007199254740992 }).optional(),
  resources: list(componentResource, { maxItems: 100 }).optional(),
  version: string({ maxLength: 255 }).optional(),
});

export const controlPlaneComponent = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'ControlPlaneComponent',
  plural: 'controlplanecomponents',
  shortNames: ['cpc', 'cpcs'],
  scope: 'Namespaced',
  description: '',
  columns: [
    { name: 'Version', type: 'string', jsonPath: '.status.version' },
    { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
    { name: 'RolloutComplete', type: 'string', jsonPath: '.status.conditions[?(@.type=="RolloutComplete")].status' },
    { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].message' },
    {
      name: 'RolloutCompleteMessage',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="RolloutComplete")].message',
      priority: 1,
    },
  ],
  statusSubresource: true,
  fields: {
    spec: emptyObject().unenforced(),
    status: controlPlaneComponentStatus.optional(),
  },
});

/** A ControlPlaneComponent as an API server hands it out: defaults are filled in. */
export type ControlPlaneComponent = ObjectOf<typeof controlPlaneComponent>;

/** A ControlPlaneComponent as a client may send it. */
export type ControlPlaneComponentManifest = ManifestOf<typeof controlPlaneComponent>;

export const controlPlaneComponents = resourceOf(controlPlaneComponent);
