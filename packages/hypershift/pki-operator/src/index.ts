/** Break-glass access to hosted clusters: signers that rotate, requests that need an approval, and revocation. */
export * from './operator.ts';
export * from './prober.ts';
export { rotationPeriods, type RotationPeriods } from './rotation/periods.ts';
export { nextRevocationStep, type RevocationStep, type RevocationView } from './revocation/step.ts';
export { previousSignerName } from './revocation/view.ts';
export * from './signer-class.ts';
