import type { KindBehaviour } from '../behaviour.ts';
import { configMap } from './config-map.ts';
import { endpoints } from './endpoints.ts';
import { event } from './event.ts';
import { limitRange } from './limit-range.ts';
import { namespace } from './namespace.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { pod } from './pod/index.ts';
import { podTemplate } from './pod-template.ts';
import { replicationController } from './replication-controller.ts';
import { resourceQuota } from './resource-quota.ts';
import { secret } from './secret.ts';
import { service } from './service/index.ts';
import { serviceAccount } from './service-account.ts';

export const coreKinds: Readonly<Record<string, KindBehaviour>> = {
  configmaps: configMap,
  endpoints,
  events: event,
  limitranges: limitRange,
  namespaces: namespace,
  nodes: node,
  persistentvolumeclaims: persistentVolumeClaim,
  persistentvolumes: persistentVolume,
  pods: pod,
  podtemplates: podTemplate,
  replicationcontrollers: replicationController,
  resourcequotas: resourceQuota,
  secrets: secret,
  serviceaccounts: serviceAccount,
  services: service,
};
