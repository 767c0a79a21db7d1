import { admissionRegistrationKinds } from './admissionregistration/index.ts';
import { apiextensionsKinds } from './apiextensions/index.ts';
import { apiRegistrationKinds } from './apiregistration/index.ts';
import { appsKinds } from './apps/index.ts';
import { autoscalingKinds } from './autoscaling/index.ts';
import { batchKinds } from './batch/index.ts';
import type { KindBehaviour } from './behaviour.ts';
import { certificatesKinds } from './certificates/index.ts';
import { coordinationKinds } from './coordination/index.ts';
import { coreKinds } from './core/index.ts';
import { discoveryKinds } from './discovery/index.ts';
import { eventsKinds } from './events/index.ts';
import { flowControlKinds } from './flowcontrol/index.ts';
import { networkingKinds } from './networking/index.ts';
import { nodeKinds } from './node/index.ts';
import { policyKinds } from './policy/index.ts';
import { rbacKinds } from './rbac/index.ts';
import { schedulingKinds } from './scheduling/index.ts';
import { storageKinds } from './storage/index.ts';

export type { KindBehaviour } from './behaviour.ts';
export {
  prepareRequestApproval,
  validateRequestUpdate,
} from './certificates/index.ts';
export { eventFromCore, eventToCore } from './conversions/events.ts';
export { autoscalerToV1, autoscalerToV2 } from './conversions/horizontal-pod-autoscaler.ts';
export { validateNamespaceFinalize } from './core/namespace.ts';

/** What is particular about each built-in kind, by `resource` (core) or `resource.group`. */
export const builtinBehaviours: Readonly<Record<string, KindBehaviour>> = Object.freeze({
  ...coreKinds,
  ...admissionRegistrationKinds,
  ...apiextensionsKinds,
  ...apiRegistrationKinds,
  ...appsKinds,
  ...autoscalingKinds,
  ...batchKinds,
  ...certificatesKinds,
  ...coordinationKinds,
  ...discoveryKinds,
  ...eventsKinds,
  ...flowControlKinds,
  ...networkingKinds,
  ...nodeKinds,
  ...policyKinds,
  ...rbacKinds,
  ...schedulingKinds,
  ...storageKinds,
});
