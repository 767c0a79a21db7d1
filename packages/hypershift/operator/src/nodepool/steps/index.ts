import {
  architecture,
  autoscaling,
  countNodes,
  ignitionEndpoint,
  machineConfig,
  machineHealth,
  pause,
  payload,
  platformSettings,
  prerequisites,
  progress,
  releaseImage,
  updateManagement,
  versionSkew,
} from './judge.ts';
import { foreignMachines, healthCheck, holdWhilePaused, machineOwner, secrets } from './machines.ts';
import { machineTemplate, platformConditions } from './platform.ts';
import type { PoolStep } from './step.ts';
import { tuning } from './tuning.ts';

/** Everything that is done for a pool, in order; a step that waits or fails ends the pass. */
export const nodePoolSteps: readonly PoolStep[] = [
  countNodes,
  autoscaling,
  updateManagement,
  releaseImage,
  ignitionEndpoint,
  architecture,
  pause,
  versionSkew,
  machineConfig,
  progress,
  payload,
  machineHealth,
  platformSettings,
  prerequisites,
  platformConditions,
  tuning,
  holdWhilePaused,
  secrets,
  foreignMachines,
  machineTemplate,
  machineOwner,
  healthCheck,
];
