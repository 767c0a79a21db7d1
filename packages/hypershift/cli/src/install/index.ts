/** What a management cluster needs to run HyperShift. */
export { install, type InstallActions, operatorAvailable } from './apply.ts';
export { installCrds, installResources } from './objects.ts';
export { installDefaults, type InstallOptions } from './options.ts';
