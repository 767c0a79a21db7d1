import type { KindBehaviour } from '../behaviour.ts';
import { autoscalerCells, autoscalerColumns } from './columns.ts';
import { defaultAutoscaler } from './defaults.ts';
import { validateAutoscaler } from './validation.ts';

const horizontalPodAutoscaler: KindBehaviour = {
  defaults: defaultAutoscaler,
  prepareForCreate: (draft) => {
    draft['status'] =
      draft['apiVersion'] === 'autoscaling/v1'
        ? { currentReplicas: 0, desiredReplicas: 0 }
        : { currentMetrics: null, desiredReplicas: 0 };
  },
  validate: validateAutoscaler,
  status: {},
  generation: true,
  unconditionalUpdate: true,
  columns: autoscalerColumns,
  cells: autoscalerCells,
};

export const autoscalingKinds: Readonly<Record<string, KindBehaviour>> = {
  'horizontalpodautoscalers.autoscaling': horizontalPodAutoscaler,
};
