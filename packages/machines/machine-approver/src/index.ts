/** Approves the certificates that machines ask for when they join a hosted cluster. */
export { type ApproverOptions, type CurrentServing, machineApproverController } from './controller.ts';
export { isFlooded } from './flood-guard.ts';
export { bootstrapper, type NodeRequest, nodeRequestOf } from './node-request.ts';
export { clientProblem, type Problem, type ServingFacts, servingProblem } from './rules.ts';
export { type MachineApproverOptions, runMachineApprover } from './run.ts';
