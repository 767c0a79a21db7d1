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
  kind: string({ maxLength: 255 }).describe('Kind of the object.'),
  name: string({ maxLength: 255 }).describe('Name of the object.'),
  group: string({ maxLength: 255 }).describe('API group of the object; empty for the core group.'),
});

export const controlPlaneComponentStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'], maxItems: 10 })
    .optional()
    .describe('`Available` and `RolloutComplete` of the component.'),
  observedGeneration: int64({ minimum: 1, maximum: 9007199254740992 })
    .optional()
    .describe('Generation of the HostedControlPlane this report is about.'),
  resources: list(componentResource, { maxItems: 100 }).optional().describe('Objects the component consists of.'),
  version: string({ maxLength: 255 })
    .optional()
    .describe('Version whose rollout is complete; absent before the first one.'),
}).describe('How the rollout of the component stands.');

export const controlPlaneComponent = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'ControlPlaneComponent',
  plural: 'controlplanecomponents',
  shortNames: ['cpc', 'cpcs'],
  scope: 'Namespaced',
  description:
    'One component of a control plane, such as the API server, and how its rollout stands. Others wait for it by this object; a controller writes it.',
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
    spec: emptyObject().describe('Has no settings.').unenforced(),
    status: controlPlaneComponentStatus.optional(),
  },
});

/** A ControlPlaneComponent as an API server hands it out: defaults are filled in. */
export type ControlPlaneComponent = ObjectOf<typeof controlPlaneComponent>;

/** A ControlPlaneComponent as a client may send it. */
export type ControlPlaneComponentManifest = ManifestOf<typeof controlPlaneComponent>;

export const controlPlaneComponents = resourceOf(controlPlaneComponent);
