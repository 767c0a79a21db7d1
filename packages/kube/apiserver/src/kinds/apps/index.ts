import type { KindBehaviour } from '../behaviour.ts';
import { controllerRevision } from './controller-revision.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { replicaSet } from './replica-set.ts';
import { statefulSet } from './stateful-set.ts';

export const appsKinds: Readonly<Record<string, KindBehaviour>> = {
  'controllerrevisions.apps': controllerRevision,
  'daemonsets.apps': daemonSet,
  'deployments.apps': deployment,
  'replicasets.apps': replicaSet,
  'statefulsets.apps': statefulSet,
};
