export { type HealthTarget, type NetworkChecks, networkChecks } from './health/network-checks.ts';
export { type ControlPlaneOperatorOptions, operatorImagesFrom, operatorSettingsFrom } from './options.ts';
export { pkiFacts } from './pki-facts.ts';
export { runControlPlaneOperator } from './run.ts';
